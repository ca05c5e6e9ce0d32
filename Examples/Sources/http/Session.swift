import NetworkClient

/// What a named session keeps of a server for the next call, in a file that only its owner can read.
struct Session {
    private struct Content: Codable { var (cookies, authorization) = ([Cookie](), String?.none) }
    private let file: URL
    let (cookies, authorization): (CookieStore, String?)
    init(_ name: String, of url: URL) throws {
        guard !name.contains("/") else { throw Arguments.Invalid(description: "'\(name)' can't name a session.") }
        let place = [url.scheme, url.host, url.port.map(String.init)].compactMap { $0 }.joined(separator: "_")
        file = .homeDirectory.appending(path: ".config/swift-http/\(place)/\(name).json")
        let saved = try? JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
        (cookies, authorization) = (CookieStore(cookies: saved?.cookies ?? []), saved?.authorization)
    }
    func save(_ authorization: String?) throws {
        let content = try JSONEncoder().encode(Content(cookies: cookies.cookies, authorization: authorization))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: file.path, contents: content, attributes: [.posixPermissions: 0o600])
    }
}
