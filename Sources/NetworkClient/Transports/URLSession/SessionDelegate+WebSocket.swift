#if !canImport(FoundationNetworking)
extension SessionDelegate: URLSessionWebSocketDelegate {
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol subprotocol: String?
    ) {
        opened(webSocketTask, TaskMessages(task: webSocketTask), subprotocol: subprotocol)
    }
}

/// With callbacks, since a cancelled asynchronous `receive` does not end before iOS 17.
private struct TaskMessages: SessionMessages {
    let task: URLSessionWebSocketTask

    func send(_ message: WebSocketMessage) async throws {
        let message: URLSessionWebSocketTask.Message =
            switch message {
            case .text(let text): .string(text)
            case .binary(let data): .data(data)
            }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            task.send(message) { error in continuation.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
    }

    func receive() async throws -> WebSocketMessage {
        let message = try await withCheckedThrowingContinuation { continuation in
            task.receive { continuation.resume(with: $0) }
        }
        return switch message {
        case .string(let text): .text(text)
        case .data(let data): .binary(data)
        @unknown default: .binary(Data())
        }
    }

    func ping(_ onPong: @escaping @Sendable () -> Void) {
        task.sendPing { error in
            if error == nil { onPong() }
        }
    }

    func close(_ closed: WebSocketClosed) {
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(closed.code.rawValue)) ?? .normalClosure
        task.cancel(with: code, reason: closed.reason.isEmpty ? nil : Data(closed.reason.utf8))
    }

    var closed: WebSocketClosed? {
        guard task.closeCode != .invalid, let code = UInt16(exactly: task.closeCode.rawValue) else { return nil }
        let reason = task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return WebSocketClosed(code: WebSocketCloseCode(rawValue: code), reason: reason)
    }

    func cancel() { task.cancel() }
}
#endif
