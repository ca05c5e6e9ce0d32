import FlyingFox
import Foundation

/// A room whose server sends each remark to everyone in it; after the first remark, Ada says hello.
actor Room: WSMessageHandler {
    private var people: [UUID: AsyncStream<WSMessage>.Continuation] = [:]
    private var hasAdaSpoken = false

    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
        let (messages, person) = AsyncStream<WSMessage>.makeStream()
        let id = UUID()
        people[id] = person
        // The task ends with the client's messages, and these with the connection.
        Task {
            for await message in client {
                if case .close = message { break }
                say(message)
            }
            people[id]?.finish()
            people[id] = nil
        }
        return messages
    }

    private func say(_ message: WSMessage) {
        for person in people.values { person.yield(message) }
        guard !hasAdaSpoken else { return }
        hasAdaSpoken = true
        for person in people.values { person.yield(.text(#"{"name": "Ada", "text": "Hello!"}"#)) }
    }
}
