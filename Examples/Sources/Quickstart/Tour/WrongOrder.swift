import Foundation

struct WrongOrder: Step {
    let title = "What the compiler says about a wrong order"
    let code = Snippet(lines: [
        "URLRequest.get(url: server)",
        "    .set(header: .accept(type: .json))",
        "    .add(query: \"page\", value: \"1\")",
        "    .build()",
    ])

    func run() throws -> [Fact] {
        if let source = try? String(contentsOf: Self.library.appending(path: Self.declaration), encoding: .utf8) {
            try expect("That \(Self.declaration) says so", source.contains(Self.message), is: true)
        }
        return [Fact("compiler", "error: 'add(query:value:)' is unavailable: […] \(Self.message)")]
    }

    /// The end of the message, which also names the order of all steps.
    private static let message = "query steps come before the headers: move this call in front of the first header step"

    /// The file that contains the message.
    private static let declaration = "Sources/NetworkUtilities/Builder/RequestBuilder+OutOfOrder.swift"

    /// The folder of the library's package, five levels above this file; it is gone if only the program was kept.
    private static let library = (1...5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
}
