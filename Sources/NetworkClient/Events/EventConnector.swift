/// What an event stream needs of its client.
struct EventConnector: Sendable {
    let decoder: any DecoderProtocol
    let time: any TimeSource
    let stream: @Sendable (URLRequest, CallOptions) async throws -> NetworkClient.Response<ResponseBody>
    /// Lets `cancelAll()` end the stream, until it is released.
    let hold: @Sendable (any BodyChannel) -> Void
    let release: @Sendable (any BodyChannel) -> Void
}
