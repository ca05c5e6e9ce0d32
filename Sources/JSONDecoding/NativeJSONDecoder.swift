/// Decodes JSON with the results of `JSONDecoder`, in a fraction of the time.
///
/// A first pass finds the tokens of the text (``JSONScanner``). Decoders and containers then read values from the text
/// when they are asked for them, and store no values.
package struct NativeJSONDecoder {
    private let options: JSONOptions
    private let userInfo: [CodingUserInfoKey: Any]
    private let maximumDepth: Int

    /// Creates a decoder for texts with at most this many levels of objects and arrays; the default of 512 is
    /// `JSONDecoder`'s.
    package init(options: JSONOptions, userInfo: [CodingUserInfoKey: Any] = [:], maximumDepth: Int = 512) {
        self.options = options
        self.userInfo = userInfo
        self.maximumDepth = maximumDepth
    }

    /// The maximum length of a text in bytes, which the conversion to UTF-8 may increase by a factor of 1.5.
    ///
    /// ``JSONScanner`` stores counts of values in 31 bits.
    package static let maximumLength = 1 << 30

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError`, or the error of an initialiser.
    package func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        do {
            guard let text = JSONTextEncoding.utf8(data) else {
                throw JSONSyntaxError("the text is invalid in its encoding", at: 0)
            }
            let document = try JSONDocument(text, options: options, userInfo: userInfo, maximumDepth: maximumDepth)
            defer { document.budget.end() }
            let root = JSONPath(rootOf: document)
            return try document.decode(type, 0, root, scope: root)
        } catch let error as JSONSyntaxError {
            if error.isTooDeep, maximumDepth == JSONNesting.maxDepth { throw JSONNesting.error }
            // Foundation has this text for all such errors.
            let text = "The given data was not valid JSON."
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: text, underlyingError: error))
        }
    }
}
