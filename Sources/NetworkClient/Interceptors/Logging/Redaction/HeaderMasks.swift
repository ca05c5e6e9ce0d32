import NetworkUtilities

/// How the value of some header fields is masked, beyond what a ``LogRedaction`` masks already.
///
/// Names are compared without case. A field that a mask is meant for shows what the mask's closure makes of its value,
/// in place of the redaction's `***`; several masks work on it in their order.
public struct HeaderMasks: Sendable {
    private enum Match {
        case whole, part
    }

    private let name: String
    private let match: Match
    let map: @Sendable (String) -> String

    private init(_ name: String, _ match: Match, map: (@Sendable (String) -> String)?) {
        self.name = name
        self.match = match
        self.map = map ?? Self.defaultTransformation
    }

    /// Masks the field of this name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - map: What is shown for a value; nil for ``defaultTransformation``. It may be called on any thread.
    /// - Returns: The mask.
    public static func has(name: String, map: (@Sendable (String) -> String)? = nil) -> HeaderMasks {
        HeaderMasks(name, .whole, map: map)
    }

    /// Masks every field in whose name this text occurs.
    ///
    /// - Parameters:
    ///   - name: A part of a field's name.
    ///   - map: What is shown for a value; nil for ``defaultTransformation``. It may be called on any thread.
    /// - Returns: The mask.
    public static func contains(name: String, map: (@Sendable (String) -> String)? = nil) -> HeaderMasks {
        HeaderMasks(name, .part, map: map)
    }

    /// Makes `***` of every value, so that not even its length shows.
    public static let defaultTransformation: @Sendable (String) -> String = { _ in LogRedaction.maskText }

    /// Masks `Authorization`, which every redaction but ``LogRedaction/showingEverything`` does anyway.
    public static let authorization = HeaderMasks.has(name: "Authorization")

    /// Whether the mask is meant for a field.
    func masks(_ field: String) -> Bool {
        switch match {
        case .whole: HeaderField.isSameName(name, field)
        case .part: ASCII.contains(name.lowercased().utf8, in: Array(field.lowercased().utf8))
        }
    }
}
