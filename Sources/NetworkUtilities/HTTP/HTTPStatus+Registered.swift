extension HTTPStatus {
    // The codes that IANA has registered, by their numbers. 306 and 418 are registered as reserved, with no meaning of
    // their own, and have none here either.

    /// The server is ready for the body of the request (RFC 9110 §15.2.1).
    public static let `continue` = HTTPStatus(rawValue: 100)

    /// The connection goes on in another protocol (RFC 9110 §15.2.2).
    public static let switchingProtocols = HTTPStatus(rawValue: 101)

    /// The server has the whole request and is still at work (RFC 2518 §10.1).
    public static let processing = HTTPStatus(rawValue: 102)

    /// Some header fields of the answer, ahead of it (RFC 8297).
    public static let earlyHints = HTTPStatus(rawValue: 103)

    /// The upload can be resumed; registered for the time being (draft-ietf-httpbis-resumable-upload).
    public static let uploadResumptionSupported = HTTPStatus(rawValue: 104)

    /// The request has succeeded (RFC 9110 §15.3.1).
    public static let ok = HTTPStatus(rawValue: 200)

    /// There is a new resource, which `Location` names (RFC 9110 §15.3.2).
    public static let created = HTTPStatus(rawValue: 201)

    /// The request is taken and not finished (RFC 9110 §15.3.3).
    public static let accepted = HTTPStatus(rawValue: 202)

    /// The answer was changed on its way by a proxy (RFC 9110 §15.3.4).
    public static let nonAuthoritativeInformation = HTTPStatus(rawValue: 203)

    /// The request has succeeded and the answer has no body (RFC 9110 §15.3.5).
    public static let noContent = HTTPStatus(rawValue: 204)

    /// The form that was sent should be emptied (RFC 9110 §15.3.6).
    public static let resetContent = HTTPStatus(rawValue: 205)

    /// The body is the range that was asked for (RFC 9110 §15.3.7).
    public static let partialContent = HTTPStatus(rawValue: 206)

    /// The body has a status for each of several resources (RFC 4918 §11.1).
    public static let multiStatus = HTTPStatus(rawValue: 207)

    /// The members of a collection were listed before (RFC 5842 §7.1).
    public static let alreadyReported = HTTPStatus(rawValue: 208)

    /// The body is the result of instance manipulations (RFC 3229 §10.4.1).
    public static let imUsed = HTTPStatus(rawValue: 226)

    /// There are several representations to choose from (RFC 9110 §15.4.1).
    public static let multipleChoices = HTTPStatus(rawValue: 300)

    /// The resource has another URL for good (RFC 9110 §15.4.2).
    public static let movedPermanently = HTTPStatus(rawValue: 301)

    /// The resource is under another URL for now (RFC 9110 §15.4.3).
    public static let found = HTTPStatus(rawValue: 302)

    /// The answer is another resource, to be read with GET (RFC 9110 §15.4.4).
    public static let seeOther = HTTPStatus(rawValue: 303)

    /// What the client has is still right (RFC 9110 §15.4.5).
    public static let notModified = HTTPStatus(rawValue: 304)

    /// Deprecated: the resource was to be reached through a proxy (RFC 9110 §15.4.6).
    public static let useProxy = HTTPStatus(rawValue: 305)

    /// As 302, and the method and the body stay (RFC 9110 §15.4.8).
    public static let temporaryRedirect = HTTPStatus(rawValue: 307)

    /// As 301, and the method and the body stay (RFC 9110 §15.4.9).
    public static let permanentRedirect = HTTPStatus(rawValue: 308)

    /// The server cannot read the request (RFC 9110 §15.5.1).
    public static let badRequest = HTTPStatus(rawValue: 400)

    /// A credential is missing or not valid (RFC 9110 §15.5.2).
    public static let unauthorized = HTTPStatus(rawValue: 401)

    /// Reserved for later use (RFC 9110 §15.5.3).
    public static let paymentRequired = HTTPStatus(rawValue: 402)

    /// The server refuses, whatever the credential (RFC 9110 §15.5.4).
    public static let forbidden = HTTPStatus(rawValue: 403)

    /// There is no such resource, or none to be spoken of (RFC 9110 §15.5.5).
    public static let notFound = HTTPStatus(rawValue: 404)

    /// The resource has no such method; `Allow` names those it has (RFC 9110 §15.5.6).
    public static let methodNotAllowed = HTTPStatus(rawValue: 405)

    /// There is no representation that the request accepts (RFC 9110 §15.5.7).
    public static let notAcceptable = HTTPStatus(rawValue: 406)

    /// The proxy wants a credential (RFC 9110 §15.5.8).
    public static let proxyAuthenticationRequired = HTTPStatus(rawValue: 407)

    /// The request did not arrive in time (RFC 9110 §15.5.9).
    public static let requestTimeout = HTTPStatus(rawValue: 408)

    /// The request does not go with the resource as it is now (RFC 9110 §15.5.10).
    public static let conflict = HTTPStatus(rawValue: 409)

    /// The resource was here and will not come back (RFC 9110 §15.5.11).
    public static let gone = HTTPStatus(rawValue: 410)

    /// The request has to say how long its body is (RFC 9110 §15.5.12).
    public static let lengthRequired = HTTPStatus(rawValue: 411)

    /// A condition such as `If-Match` does not hold (RFC 9110 §15.5.13).
    public static let preconditionFailed = HTTPStatus(rawValue: 412)

    /// The body is larger than the server takes (RFC 9110 §15.5.14).
    public static let contentTooLarge = HTTPStatus(rawValue: 413)

    /// The URL is longer than the server reads (RFC 9110 §15.5.15).
    public static let uriTooLong = HTTPStatus(rawValue: 414)

    /// The body has a type that the resource does not take (RFC 9110 §15.5.16).
    public static let unsupportedMediaType = HTTPStatus(rawValue: 415)

    /// The resource has no such range (RFC 9110 §15.5.17).
    public static let rangeNotSatisfiable = HTTPStatus(rawValue: 416)

    /// What `Expect` asks for cannot be met (RFC 9110 §15.5.18).
    public static let expectationFailed = HTTPStatus(rawValue: 417)

    /// This server does not speak for that origin (RFC 9110 §15.5.20).
    public static let misdirectedRequest = HTTPStatus(rawValue: 421)

    /// The body can be read and its content is not valid (RFC 9110 §15.5.21).
    public static let unprocessableContent = HTTPStatus(rawValue: 422)

    /// The resource is locked (RFC 4918 §11.3).
    public static let locked = HTTPStatus(rawValue: 423)

    /// Another request, which this one depends on, has failed (RFC 4918 §11.4).
    public static let failedDependency = HTTPStatus(rawValue: 424)

    /// The request might be replayed, so it has to wait for the handshake (RFC 8470 §5.2).
    public static let tooEarly = HTTPStatus(rawValue: 425)

    /// The request has to use another protocol (RFC 9110 §15.5.22).
    public static let upgradeRequired = HTTPStatus(rawValue: 426)

    /// The request needs a condition such as `If-Match` (RFC 6585 §3).
    public static let preconditionRequired = HTTPStatus(rawValue: 428)

    /// The client has sent more than it may for now (RFC 6585 §4).
    public static let tooManyRequests = HTTPStatus(rawValue: 429)

    /// The header fields are larger than the server reads (RFC 6585 §5).
    public static let requestHeaderFieldsTooLarge = HTTPStatus(rawValue: 431)

    /// The law forbids an answer (RFC 7725 §3).
    public static let unavailableForLegalReasons = HTTPStatus(rawValue: 451)

    /// The server has met something unexpected (RFC 9110 §15.6.1).
    public static let internalServerError = HTTPStatus(rawValue: 500)

    /// The server does not know the method (RFC 9110 §15.6.2).
    public static let notImplemented = HTTPStatus(rawValue: 501)

    /// The server behind this one gave an answer that is not valid (RFC 9110 §15.6.3).
    public static let badGateway = HTTPStatus(rawValue: 502)

    /// The server is overloaded or down for now (RFC 9110 §15.6.4).
    public static let serviceUnavailable = HTTPStatus(rawValue: 503)

    /// The server behind this one did not answer in time (RFC 9110 §15.6.5).
    public static let gatewayTimeout = HTTPStatus(rawValue: 504)

    /// The server does not speak this version of HTTP (RFC 9110 §15.6.6).
    public static let httpVersionNotSupported = HTTPStatus(rawValue: 505)

    /// The server's content negotiation leads in a circle (RFC 2295 §8.1).
    public static let variantAlsoNegotiates = HTTPStatus(rawValue: 506)

    /// The server has no room for what it is to store (RFC 4918 §11.5).
    public static let insufficientStorage = HTTPStatus(rawValue: 507)

    /// The request leads in a circle (RFC 5842 §7.2).
    public static let loopDetected = HTTPStatus(rawValue: 508)

    /// Obsolete: the request lacked an extension (RFC 2774 §7).
    public static let notExtended = HTTPStatus(rawValue: 510)

    /// The network wants its user to sign in first (RFC 6585 §6).
    public static let networkAuthenticationRequired = HTTPStatus(rawValue: 511)
}
