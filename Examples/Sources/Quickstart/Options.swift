import Foundation

/// What the program was asked to do.
struct Options {
    /// An argument that cannot be understood.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        Usage: Quickstart [--base-url URL]

        A tour of the library, with the code, the bytes and the typed answers of each step.

          --base-url URL   talk to a server of yours (http or https) instead of the tour's own
          -h, --help       show this text
        """

    private(set) var baseURL: URL?
    private(set) var wantsHelp = false

    /// Reads the arguments that follow the program's name.
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

    /// Foundation's parser repairs what is no URL; what a person typed by mistake is better refused.
    private static func server(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased()
        else {
            throw UsageError(description: "'\(text)' is not a URL such as http://localhost:8080.")
        }
        guard scheme == "http" || scheme == "https" else {
            throw UsageError(description: "'\(text)' begins with '\(scheme):', where http: or https: is needed.")
        }
        guard let host = url.host(), !host.isEmpty else {
            throw UsageError(description: "'\(text)' names no host.")
        }
        guard url.query() == nil, url.fragment() == nil else {
            throw UsageError(description: "'\(text)' has a query or a fragment, and paths are to be appended to it.")
        }
        return url
    }
}
