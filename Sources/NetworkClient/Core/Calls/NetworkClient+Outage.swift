extension NetworkClient.Error: OutageError {
    var isOutage: Bool {
        switch self {
        case .requestError(let failure): failure.isOutage
        case .apiError(let response, _): ForwardedRequest.outages.contains(response.statusCode)
        default: false
        }
    }

    var cause: String {
        switch self {
        case .requestError(let failure): failure.cause
        case .apiError(let response, _): "response \(response.statusCode)"
        default: "\(type(of: self))"
        }
    }
}
