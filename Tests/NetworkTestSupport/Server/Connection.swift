import Foundation

/// One connection and its thread: reads requests and plays scripts until one side ends the connection.
final class Connection {
    private let socket: Socket
    private let number: Int
    private let engine: ServerEngine
    private let behavior: ServerBehavior
    private var reader: RequestReader
    private var nextIndex = 0

    init(_ socket: Socket, number: Int, engine: ServerEngine, behavior: ServerBehavior) {
        self.socket = socket
        self.number = number
        self.engine = engine
        self.behavior = behavior
        reader = RequestReader(socket: socket)
    }

    func serveRequests() {
        do {
            while try serveNext() {}
        } catch let error as MalformedRequest {
            engine.log.update { $0.malformed.append(error.reason) }
            refuse()
        } catch {
            // The peer has closed the connection, or the server stops.
        }
    }

    /// Serves one request; returns whether another one may follow.
    private func serveNext() throws -> Bool {
        guard var request = try reader.readHead(connection: number, index: nextIndex) else { return false }
        nextIndex += 1
        record(head: request)
        switch behavior.onHead(request) {
        case .none:
            break
        case .interim(let script):
            guard try play(script, for: request) else {
                record(request)
                return false
            }
        case .final(let script):
            // Recorded even if the body never arrives.
            defer { record(request) }
            guard try play(script, for: request) else { return false }
            try readBody(of: &request)
            return !request.wantsClose
        }
        try readBody(of: &request)
        record(request)
        return try play(behavior.handler(request), for: request) && !request.wantsClose
    }

    private func play(_ script: Script, for request: RecordedRequest) throws -> Bool {
        var player = ScriptPlayer(socket: socket, engine: engine, isHead: request.method == "HEAD")
        return try player.play(script, reader: &reader)
    }

    private func readBody(of request: inout RecordedRequest) throws {
        do {
            try reader.readBody(into: &request, keeping: behavior.recording != .withoutBodies)
        } catch {
            let partial = request
            engine.log.update { $0.truncated.append(partial) }
            throw error
        }
    }

    private func record(head request: RecordedRequest) {
        engine.log.update { log in
            log.headCount += 1
            if behavior.recording != .countsOnly { log.heads.append(request) }
        }
    }

    private func record(_ request: RecordedRequest) {
        engine.log.update { log in
            log.requestCount += 1
            if behavior.recording != .countsOnly { log.requests.append(request) }
        }
    }

    /// Reads remaining bytes after the response: unread bytes would turn the close into a reset, which may discard it.
    private func refuse() {
        do {
            try socket.sendAll(ScriptedResponse(status: 400, headers: ["Connection": "close"]).bytes(headOnly: false))
            socket.shutDownWriting()
            while try !socket.receive().isEmpty {}
        } catch {
            // The peer wouldn't receive it.
        }
    }
}
