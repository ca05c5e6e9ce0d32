/// The codes registered with IANA, without 306 and 418, which are reserved.
extension HTTPStatus {
    /// All of these codes, in ascending order.
    ///
    /// Other codes are statuses too, so this is not a conformance to `CaseIterable`.
    public static let registered: [HTTPStatus] = (100...599).filter { ![306, 418].contains($0) }
        .map { HTTPStatus(rawValue: $0) }
        .filter { $0.reasonPhrase != nil }

    /// The server is ready to receive the body (RFC 9110 §15.2.1).
    public static let `continue` = HTTPStatus(rawValue: 100)

    /// The connection switches to another protocol (RFC 9110 §15.2.2).
    public static let switchingProtocols = HTTPStatus(rawValue: 101)

    /// The server has received the request and is processing it (RFC 2518 §10.1).
    public static let processing = HTTPStatus(rawValue: 102)

    /// Some header fields of the final response, sent in advance (RFC 8297).
    public static let earlyHints = HTTPStatus(rawValue: 103)

    /// The upload can be resumed; a temporary registration (draft-ietf-httpbis-resumable-upload).
    public static let uploadResumptionSupported = HTTPStatus(rawValue: 104)

    /// The request succeeded (RFC 9110 §15.3.1).
    public static let ok = HTTPStatus(rawValue: 200)

    /// A resource was created; `Location` has its URL (RFC 9110 §15.3.2).
    public static let created = HTTPStatus(rawValue: 201)

    /// The request was accepted, but processing has not finished (RFC 9110 §15.3.3).
    public static let accepted = HTTPStatus(rawValue: 202)

    /// A proxy modified the response (RFC 9110 §15.3.4).
    public static let nonAuthoritativeInformation = HTTPStatus(rawValue: 203)

    /// The request succeeded, and the response has no body (RFC 9110 §15.3.5).
    public static let noContent = HTTPStatus(rawValue: 204)

    /// The client should clear the form that it sent (RFC 9110 §15.3.6).
    public static let resetContent = HTTPStatus(rawValue: 205)

    /// The body is the requested range (RFC 9110 §15.3.7).
    public static let partialContent = HTTPStatus(rawValue: 206)

    /// The body has a status for each of several resources (RFC 4918 §11.1).
    public static let multiStatus = HTTPStatus(rawValue: 207)

    /// The members of a collection were listed earlier in the response (RFC 5842 §7.1).
    public static let alreadyReported = HTTPStatus(rawValue: 208)

    /// The body is the result of instance manipulations (RFC 3229 §10.4.1).
    public static let imUsed = HTTPStatus(rawValue: 226)

    /// Several representations are available (RFC 9110 §15.4.1).
    public static let multipleChoices = HTTPStatus(rawValue: 300)

    /// The resource has moved permanently (RFC 9110 §15.4.2).
    public static let movedPermanently = HTTPStatus(rawValue: 301)

    /// The resource is temporarily at another URL (RFC 9110 §15.4.3).
    public static let found = HTTPStatus(rawValue: 302)

    /// The result is at another URL, to be read with GET (RFC 9110 §15.4.4).
    public static let seeOther = HTTPStatus(rawValue: 303)

    /// The client's copy is still current (RFC 9110 §15.4.5).
    public static let notModified = HTTPStatus(rawValue: 304)

    /// Deprecated: the resource has to be accessed through a proxy (RFC 9110 §15.4.6).
    public static let useProxy = HTTPStatus(rawValue: 305)

    /// Like 302, but the method and the body must not change (RFC 9110 §15.4.8).
    public static let temporaryRedirect = HTTPStatus(rawValue: 307)

    /// Like 301, but the method and the body must not change (RFC 9110 §15.4.9).
    public static let permanentRedirect = HTTPStatus(rawValue: 308)

    /// The server cannot parse the request (RFC 9110 §15.5.1).
    public static let badRequest = HTTPStatus(rawValue: 400)

    /// The credential is missing or invalid (RFC 9110 §15.5.2).
    public static let unauthorized = HTTPStatus(rawValue: 401)

    /// Reserved for future use (RFC 9110 §15.5.3).
    public static let paymentRequired = HTTPStatus(rawValue: 402)

    /// The server refuses the request, whatever the credential (RFC 9110 §15.5.4).
    public static let forbidden = HTTPStatus(rawValue: 403)

    /// The resource does not exist, or the server does not disclose it (RFC 9110 §15.5.5).
    public static let notFound = HTTPStatus(rawValue: 404)

    /// The resource does not support the method; `Allow` lists the supported ones (RFC 9110 §15.5.6).
    public static let methodNotAllowed = HTTPStatus(rawValue: 405)

    /// No representation matches the `Accept` fields (RFC 9110 §15.5.7).
    public static let notAcceptable = HTTPStatus(rawValue: 406)

    /// The proxy requires a credential (RFC 9110 §15.5.8).
    public static let proxyAuthenticationRequired = HTTPStatus(rawValue: 407)

    /// The server did not receive the whole request in time (RFC 9110 §15.5.9).
    public static let requestTimeout = HTTPStatus(rawValue: 408)

    /// The request conflicts with the current state of the resource (RFC 9110 §15.5.10).
    public static let conflict = HTTPStatus(rawValue: 409)

    /// The resource was removed permanently (RFC 9110 §15.5.11).
    public static let gone = HTTPStatus(rawValue: 410)

    /// The request needs a `Content-Length` (RFC 9110 §15.5.12).
    public static let lengthRequired = HTTPStatus(rawValue: 411)

    /// A condition such as `If-Match` is false (RFC 9110 §15.5.13).
    public static let preconditionFailed = HTTPStatus(rawValue: 412)

    /// The body is larger than the server accepts (RFC 9110 §15.5.14).
    public static let contentTooLarge = HTTPStatus(rawValue: 413)

    /// The URL is longer than the server accepts (RFC 9110 §15.5.15).
    public static let uriTooLong = HTTPStatus(rawValue: 414)

    /// The resource does not accept the media type of the body (RFC 9110 §15.5.16).
    public static let unsupportedMediaType = HTTPStatus(rawValue: 415)

    /// The resource does not contain the requested range (RFC 9110 §15.5.17).
    public static let rangeNotSatisfiable = HTTPStatus(rawValue: 416)

    /// The server cannot meet the `Expect` field (RFC 9110 §15.5.18).
    public static let expectationFailed = HTTPStatus(rawValue: 417)

    /// The server is not responsible for the origin (RFC 9110 §15.5.20).
    public static let misdirectedRequest = HTTPStatus(rawValue: 421)

    /// The body is well-formed, but its content is invalid (RFC 9110 §15.5.21).
    public static let unprocessableContent = HTTPStatus(rawValue: 422)

    /// The resource is locked (RFC 4918 §11.3).
    public static let locked = HTTPStatus(rawValue: 423)

    /// The request depends on another one, which failed (RFC 4918 §11.4).
    public static let failedDependency = HTTPStatus(rawValue: 424)

    /// The request came in TLS early data and could be a replay; send it again after the handshake (RFC 8470 §5.2).
    public static let tooEarly = HTTPStatus(rawValue: 425)

    /// The request needs another protocol (RFC 9110 §15.5.22).
    public static let upgradeRequired = HTTPStatus(rawValue: 426)

    /// The request needs a condition such as `If-Match` (RFC 6585 §3).
    public static let preconditionRequired = HTTPStatus(rawValue: 428)

    /// The client has exceeded its rate limit (RFC 6585 §4).
    public static let tooManyRequests = HTTPStatus(rawValue: 429)

    /// The header fields are larger than the server accepts (RFC 6585 §5).
    public static let requestHeaderFieldsTooLarge = HTTPStatus(rawValue: 431)

    /// A legal demand forbids access to the resource (RFC 7725 §3).
    public static let unavailableForLegalReasons = HTTPStatus(rawValue: 451)

    /// The server encountered an unexpected condition (RFC 9110 §15.6.1).
    public static let internalServerError = HTTPStatus(rawValue: 500)

    /// The server does not support the method (RFC 9110 §15.6.2).
    public static let notImplemented = HTTPStatus(rawValue: 501)

    /// The upstream server sent an invalid response (RFC 9110 §15.6.3).
    public static let badGateway = HTTPStatus(rawValue: 502)

    /// The server is overloaded or under maintenance (RFC 9110 §15.6.4).
    public static let serviceUnavailable = HTTPStatus(rawValue: 503)

    /// The upstream server did not respond in time (RFC 9110 §15.6.5).
    public static let gatewayTimeout = HTTPStatus(rawValue: 504)

    /// The server does not support this version of HTTP (RFC 9110 §15.6.6).
    public static let httpVersionNotSupported = HTTPStatus(rawValue: 505)

    /// The server's content negotiation is circular (RFC 2295 §8.1).
    public static let variantAlsoNegotiates = HTTPStatus(rawValue: 506)

    /// The server has no space to store the representation (RFC 4918 §11.5).
    public static let insufficientStorage = HTTPStatus(rawValue: 507)

    /// The server found an infinite loop (RFC 5842 §7.2).
    public static let loopDetected = HTTPStatus(rawValue: 508)

    /// Obsolete: the request lacks a required extension (RFC 2774 §7).
    public static let notExtended = HTTPStatus(rawValue: 510)

    /// The network requires its user to sign in first (RFC 6585 §6).
    public static let networkAuthenticationRequired = HTTPStatus(rawValue: 511)
}
