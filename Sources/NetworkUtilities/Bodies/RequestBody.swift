/// A body of a kind that this library has no step for: a property list, CBOR, a form of a company's own.
///
/// There are ready-made steps for the usual bodies: `bodyJson(of:)`, `bodyForm(params:)`, `bodyText(_:type:)`,
/// `bodyData(_:type:)`, `bodyFile(at:type:)` and `bodyMultipart(_:)`. To write another, say what kind of bytes it has
/// and where they are; such a value goes into `body(_:)`, or into a part of a ``MultipartForm``.
///
/// ```swift
/// struct PropertyList<Value: Encodable & Sendable>: RequestBody {
///     let value: Value
///     var mediaType: MediaType? { MediaType("application/x-plist") }
///
///     func content() throws -> RequestContent {
///         .data(try PropertyListEncoder().encode(value))
///     }
/// }
/// ```
public protocol RequestBody: Sendable {
    /// What kind of bytes they are, which a header step may overrule; nil says nothing.
    var mediaType: MediaType? { get }

    /// The bytes, or where they are read from when they are sent; asked for once for each request that is built.
    ///
    /// - Returns: The bytes, such as `.data(data)`, `.file(at: url)` or `.source(source)`.
    /// - Throws: Any error; there is no request then.
    func content() throws -> RequestContent
}
