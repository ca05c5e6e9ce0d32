/// What was measured at one number of concurrent requests.
struct RequestLevel: Sendable {
    let concurrency: Int
    let measured: [MeasuredRequests]

    func figures(of name: String) -> MeasuredRequests? { measured.first { $0.name == name } }
}
