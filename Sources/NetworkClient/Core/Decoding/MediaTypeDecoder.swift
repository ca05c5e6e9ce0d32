import JSONDecoding

/// Decodes each response with the decoder for its media type.
///
/// ```swift
/// let shop = DefaultDecoder().unwrapping("data")
/// let client = NetworkClient(decoder: MediaTypeDecoder([
///     .json: .default, .init("application/vnd.shop+json"): shop,
/// ]))
/// ```
///
/// The decoder is chosen by `Content-Type`, whose parameters are ignored (RFC 9110 §8.3.1), in this order:
/// 1. the same type;
/// 2. the type of its suffix: `application/json` for `application/vnd.api+json` (RFC 6839), and for `text/json`;
/// 3. a range such as `text/*`, then `*/*`, which is also for a response without a media type.
///
/// A media type without a decoder is a `DecodingError` that names it; `Data` accepts any response.
public struct MediaTypeDecoder: DecoderProtocol, LayeredDecoder {
    private let decoders: [String: any DecoderProtocol]

    /// Creates a decoder from decoders by media type; of two decoders for one type, the last is used.
    public init(_ decoders: KeyValuePairs<MediaType, any DecoderProtocol>) {
        self.decoders = decoders.reduce(into: [:]) { $0[$1.key.essence] = $1.value }
    }

    private init(decoders: [String: any DecoderProtocol]) {
        self.decoders = decoders
    }

    /// Decodes a value with the decoder for `*/*`.
    ///
    /// - Throws: The errors of that decoder; `DecodingError` if it is missing.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try decoder(for: nil, T.self).decode(data: data)
    }

    /// Decodes a value with the decoder for the media type of the response.
    ///
    /// - Throws: The errors of that decoder; `DecodingError` if it is missing.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        let type = response.value(forHTTPHeaderField: "Content-Type").map { MediaType($0) }
        return try decoder(for: type, T.self).decode(data: data, response: response)
    }

    var withoutEnvelope: any DecoderProtocol {
        MediaTypeDecoder(decoders: decoders.mapValues { $0.withoutAnyEnvelope })
    }

    private func decoder<T>(for type: MediaType?, _ result: T.Type) throws -> any DecoderProtocol {
        let type = type.flatMap { $0.subtype.isEmpty ? nil : $0 }
        if let decoder = type.flatMap(known) ?? decoders["*/*"] { return decoder }
        if T.self == Data.self { return DefaultDecoder() }
        let names = decoders.keys.sorted().joined(separator: ", ")
        let subject = type.map { "is of the media type '\($0.essence.prefix(100))'" } ?? "has no media type"
        throw DecodingReason("\(subject), for which there is no decoder (there are decoders for \(names))").error()
    }

    private func known(_ type: MediaType) -> (any DecoderProtocol)? {
        if let same = decoders[type.essence] { return same }
        let suffix = type.isJSON ? "json" : type.suffix
        if let suffix, let ofSuffix = decoders["application/\(suffix)"] { return ofSuffix }
        return decoders["\(type.type)/*"]
    }
}
