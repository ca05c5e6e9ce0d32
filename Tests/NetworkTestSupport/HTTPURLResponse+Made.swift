package import NetworkUtilities

extension HTTPURLResponse {
    /// Creates a head for tests.
    package static func made(
        _ status: Int = 200,
        url text: String = "https://api.example.com/items",
        headers: [String: String] = [:]
    ) -> HTTPURLResponse {
        guard
            let place = URL(string: text),
            let response = HTTPURLResponse(
                url: place,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: headers
            )
        else { fatalError("A test makes a head that Foundation refuses: \(status) \(text)") }
        return response
    }
}
