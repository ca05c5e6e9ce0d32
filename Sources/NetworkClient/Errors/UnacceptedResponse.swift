import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of an answer whose status was not accepted, with the decoder of the call that got it.
///
/// It is how `NetworkClient.Error.getError()` knows the client's decoder: the error's cases are fixed, and callers hold
/// it long after the call. All that it adds is immutable, so the superclass's unchecked promise holds for it too.
final class UnacceptedResponse: HTTPURLResponse, @unchecked Sendable {
    let decoder: any DecoderProtocol

    init?(_ response: HTTPURLResponse, decoder: any DecoderProtocol) {
        guard let url = response.url else { return nil }
        self.decoder = decoder
        let fields = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            fields["\(field.key)"] = "\(field.value)"
        }
        super.init(url: url, statusCode: response.statusCode, httpVersion: nil, headerFields: fields)
    }

    required init?(coder: NSCoder) {
        nil
    }
}
