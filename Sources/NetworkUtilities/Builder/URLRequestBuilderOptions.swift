/// How a builder encodes bodies.
public struct URLRequestBuilderOptions: Sendable {
    static let standard = URLRequestBuilderOptions()

    /// Encodes JSON bodies.
    public let encoder: any JSONDataEncoder

    /// Encodes form bodies.
    public let formEncoder: any FormDataEncoder

    /// Takes an encoder for each kind of body.
    ///
    /// - Parameters:
    ///   - encoder: Encodes JSON bodies.
    ///   - formEncoder: Encodes form bodies.
    public init(
        encoder: any JSONDataEncoder = DefaultJsonEncoder(),
        formEncoder: any FormDataEncoder = DefaultFormEncoder()
    ) {
        self.encoder = encoder
        self.formEncoder = formEncoder
    }
}
