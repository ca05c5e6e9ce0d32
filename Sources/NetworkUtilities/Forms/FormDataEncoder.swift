public import Foundation

/// Turns parameters into the bytes of an `application/x-www-form-urlencoded` body.
///
/// Use ``DefaultFormEncoder`` unless a service reads forms in a way of its own. Both methods may be called from several
/// threads at once.
public protocol FormDataEncoder: Sendable {
    /// Encodes a dictionary of parameters.
    ///
    /// - Parameter params: The fields by name.
    /// - Returns: The bytes of the body.
    /// - Throws: Any error; ``DefaultFormEncoder`` throws only ``BodyEncodingError``.
    func encode(_ params: Params) throws -> Data

    /// Encodes a value whose properties are the fields of the form.
    ///
    /// - Parameter value: A value that encodes as an object with string keys.
    /// - Returns: The bytes of the body.
    /// - Throws: Any error; ``DefaultFormEncoder`` throws only ``BodyEncodingError``.
    func encode<Value: Encodable>(of value: Value) throws -> Data
}
