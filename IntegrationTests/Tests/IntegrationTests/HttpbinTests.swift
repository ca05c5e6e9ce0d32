import Foundation
import NetworkClient
import Testing

@Suite(.server(.httpbin), .server(.peers), .timeLimit(.minutes(3)))
struct HttpbinTests {
    /// What httpbin's `/anything` saw of a request.
    struct Seen: Decodable, Sendable {
        struct Bytes: Decodable, Sendable, Equatable {
            let method: String
            let target: String
            let framing: String
            let body: Data
        }

        let args: Tree?
        let form: Tree?
        let files: Tree?
        let json: Tree?
        let headers: [String: String]?
        let bytes: Bytes
    }

    /// Any JSON, to be compared.
    indirect enum Tree: Decodable, Sendable, Equatable {
        case null, number(Double), text(String), flag(Bool), array([Tree]), object([String: Tree])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let array = try? container.decode([Tree].self) {
                self = .array(array)
            } else {
                self = .object(try container.decode([String: Tree].self))
            }
        }
    }

    struct Peers: Decodable, Sendable {
        let httpx: Seen
        let curl: Seen
        let command: Seen?
    }

    /// Fields that are a client's choice: who it is, what it accepts, and how it keeps its connection.
    private static let ownFields: Set<String> = [
        "User-Agent", "Accept", "Accept-Encoding", "Connection", "Content-Length",
    ]

    /// Sends a case with all clients.
    private func send(_ row: RequestCase, writesCommand: Bool) async throws -> (seen: Seen, peers: Peers) {
        let url = try ServerProcess.of(.httpbin).url(row.path)
        let request = try row.build(url)
        var peer = row.peer
        peer.url = url.absoluteString
        if writesCommand { peer.command = request.curlCommand(redaction: .showingEverything) }
        let client = try NetworkClient.forTests()
        let seen = try await client.fetch(request: request, as: Seen.self).item
        let question = try URLRequest.post(url: ServerProcess.of(.peers).url("/")).bodyJson(of: peer)
        return (seen, try await client.fetch(question, as: Peers.self).item)
    }

    @Test(arguments: RequestCase.all)
    func aRequestIsWhatHttpxAndCurlSend(row: RequestCase) async throws {
        let (seen, peers) = try await send(row, writesCommand: true)
        for (name, other) in [("httpx", peers.httpx), ("curl", peers.curl)] {
            compare(seen, other, of: name, row)
        }
        // The library's own command sends the same bytes.
        let command = try #require(peers.command)
        let isPlain = row.peer.body == nil
        #expect(command.bytes.method == seen.bytes.method && command.bytes.body == seen.bytes.body)
        #expect(isPlain || command.bytes.framing == seen.bytes.framing)
        #expect(command.bytes.target == seen.bytes.target || seen.bytes.target.contains("/."))
        #expect(fields(command, row) == fields(seen, row))
    }

    @Test(arguments: RequestCase.redirects)
    func aRedirectIsFollowedAsHttpxAndCurlDo(row: RequestCase) async throws {
        let (seen, peers) = try await send(row, writesCommand: false)
        #expect(seen.bytes.target == "/anything/there")
        // RFC 9110 §15.4: a GET has no fields of a body. The others send on what they were given.
        if seen.bytes.method == "GET" { #expect(seen.headers?["Content-Type"] == nil) }
        // curl keeps a method that it was told, except that of a POST with a body.
        let obeysCurl = ["GET", "POST"].contains(row.peer.method)
        for (name, other) in [("httpx", peers.httpx), ("curl", peers.curl)] where name == "httpx" || obeysCurl {
            if row.choices.contains(.methodAfterRedirect) {
                #expect(seen.bytes.method == row.peer.method && !seen.bytes.body.isEmpty)
            } else {
                compare(seen, other, of: name, row)
            }
        }
    }

    /// The fields that are not a client's choice.
    private func fields(_ seen: Seen, _ row: RequestCase) -> [String: String] {
        let named = Set(row.peer.fields.compactMap { $0.first?.capitalized })
        var fields = (seen.headers ?? [:]).filter { !Self.ownFields.contains($0.key) || named.contains($0.key) }
        if row.choices.contains(.multipart), let type = fields["Content-Type"] {
            fields["Content-Type"] = String(type.prefix { $0 != ";" })
        }
        return fields
    }

    private func compare(_ seen: Seen, _ other: Seen, of name: String, _ row: RequestCase) {
        let comment = Comment(rawValue: "\(name): \(other.bytes)\nhere: \(seen.bytes)")
        #expect(seen.bytes.method == other.bytes.method, comment)
        #expect(seen.args == other.args && seen.form == other.form && seen.files == other.files, comment)
        #expect(seen.json == other.json, comment)
        if !row.choices.contains(.spellingOfTheQuery), name == "curl" || !row.choices.contains(.urlOfHTTPX) {
            #expect(seen.bytes.target == other.bytes.target, comment)
        }
        let hasOwnSpelling = row.choices.contains { [.spellingOfTheForm, .spellingOfJSON, .multipart].contains($0) }
        if !hasOwnSpelling {
            #expect(seen.bytes.body == other.bytes.body, comment)
            let isFree = name == "curl" && row.choices.contains(.lengthOfCurl)
            #expect(isFree || seen.bytes.framing == other.bytes.framing, comment)
        }
        var expected = fields(other, row)
        if row.peer.follows, seen.bytes.method == "GET" { expected["Content-Type"] = nil }
        #expect(fields(seen, row) == expected, comment)
    }
}
