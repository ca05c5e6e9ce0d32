import NetworkUtilities

/// An error of the library's: its text, if it has one of its own, never holds a secret, so a log may show it.
package protocol SelfDescribingError: Error {}

extension NetworkClient.Error: SelfDescribingError {}
extension TransportError: SelfDescribingError {}
extension BodyEncodingError: SelfDescribingError {}
extension QueryEncodingError: SelfDescribingError {}
extension RequestPathError: SelfDescribingError {}
extension URITemplateError: SelfDescribingError {}
extension HeaderFieldError: SelfDescribingError {}
extension InvalidHTTPMethod: SelfDescribingError {}
