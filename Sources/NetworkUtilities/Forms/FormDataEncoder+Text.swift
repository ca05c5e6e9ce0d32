extension FormDataEncoder {
    /// Encodes a dictionary of parameters as text, for a place where a form is not a body.
    ///
    /// - Parameter params: The fields by name.
    /// - Returns: The encoded form, such as `name=viktor&page=1`.
    /// - Throws: What ``encode(_:)`` throws.
    public func percentEncodedString(params: Params) throws -> String {
        String(decoding: try encode(params), as: UTF8.self)
    }
}
