public import Foundation

/// Turns a value into the bytes of a JSON body.
///
/// Use ``DefaultJsonEncoder`` unless a service needs another JSON dialect. To write one, encode the value and throw
/// ``BodyEncodingError`` when it has no JSON form. `encode(_:)` may be called from several threads at once.
public protocol JSONDataEncoder: Sendable {
    /// Encodes one value as a complete JSON text in UTF-8.
    ///
    /// - Parameter value: What to encode.
    /// - Returns: The bytes of the body.
    /// - Throws: Any error; ``DefaultJsonEncoder`` throws only ``BodyEncodingError``.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}
