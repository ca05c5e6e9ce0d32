// expect: value of type 'RequestBuilder<QueryStage>' has no member 'heder'
// expect: value of type 'RequestBuilder<BodyStage>' has no member 'bodyJSON'
// expect: value of type 'RequestBuilder<HeaderStage>' has no member 'timeOut'
import NetworkClient
import NetworkUtilities

/// The compiler names the step, and not a type that another form of the call takes.
func unknownStep(client: NetworkClient) async throws {
    _ = try await client.fetch(.get(path: "items").heder("X-Name", "a"), as: [Int].self)
    _ = try client.upload(.post(path: "items").bodyJSON(of: 1))
    _ = try await client.stream(.get(path: "items").add(header: .accept(type: .json)).timeOut(5))
}
