import Foundation

/// The options of the command line.
struct Options {
    /// An invalid argument.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        Usage: Quickstart [--base-url URL]

        A tour of the library, with the code, the bytes and the typed responses of each step.

          --base-url URL   use your server (http or https) instead of the tour's
          -h, --help       show this text
        """

    private(set) var baseURL: URL?
    private(set) var wantsHelp = false

    /// Parses the arguments after the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "-h", "--help":
                wantsHelp = true
            case "--base-url":
                guard let value = rest.popFirst() else { throw UsageError(description: "--base-url needs a URL.") }
                baseURL = try Self.server(value)
            case _ where argument.hasPrefix("--base-url="):
                baseURL = try Self.server(String(argument.dropFirst("--base-url=".count)))
            default:
                throw UsageError(description: "'\(argument)' is not an option.")
            }
        }
    }

    /// Parses a server's URL strictly: Foundation would repair an invalid URL, which hides typing errors.
    private static func server(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased()
        else {
            throw UsageError(description: "'\(text)' is not a URL such as http://localhost:8080.")
        }
        guard scheme == "http" || scheme == "https" else {
            throw UsageError(description: "'\(text)' begins with '\(scheme):', but http: or https: is needed.")
        }
        guard let host = url.host(), !host.isEmpty else {
            throw UsageError(description: "'\(text)' has no host.")
        }
        guard url.query() == nil, url.fragment() == nil else {
            throw UsageError(description: "'\(text)' has a query or a fragment, but paths are appended to it.")
        }
        return url
    }
}
