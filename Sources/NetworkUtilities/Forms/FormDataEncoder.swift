/// Encodes parameters as an `application/x-www-form-urlencoded` body.
///
/// Use ``DefaultFormEncoder`` unless a service reads forms in its own way; then write ``encode(_:)``. Both methods may
/// be called from several threads at once.
public protocol FormDataEncoder: Sendable {
    /// Encodes a dictionary of parameters.
    ///
    /// - Throws: Any error; ``DefaultFormEncoder`` throws only ``BodyEncodingError``.
    func encode(_ params: Params) throws -> Data

    /// Encodes a value whose properties are the fields of the form.
    ///
    /// By default, the parameters that ``DefaultFormEncoder/params(from:)`` makes of the value are encoded; implement
    /// this method to keep the order of the properties.
    /// - Throws: Any error; ``DefaultFormEncoder`` throws only ``BodyEncodingError``.
    func encode<Value: Encodable>(of value: Value) throws -> Data
}

extension FormDataEncoder {
    /// Encodes the properties of a value as parameters, which have no order.
    ///
    /// - Throws: The errors of ``DefaultFormEncoder/params(from:)`` and ``encode(_:)``.
    public func encode<Value: Encodable>(of value: Value) throws -> Data {
        try encode(DefaultFormEncoder().params(from: value))
    }

    /// Encodes a dictionary of parameters as text, such as `name=viktor&page=1`, for other places than a body.
    ///
    /// - Throws: The errors of ``encode(_:)``.
    public func percentEncodedString(params: Params) throws -> String {
        String(decoding: try encode(params), as: UTF8.self)
    }
}

/// The values of a form, an object in JSON, a query or a URI template by name.
///
/// A value is a string, a number, a Boolean, a date, a URL, a UUID, any other `Encodable`, an array or a dictionary of
/// these, or an optional of any of them.
public typealias Params = [String: Any]
