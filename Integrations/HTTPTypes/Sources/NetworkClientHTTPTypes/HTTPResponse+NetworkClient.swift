public import Foundation
public import HTTPTypes
public import NetworkClient

extension HTTPResponse {
    /// Creates a response with the status and all fields of a response that a client received, in their order.
    ///
    /// URLSession joins fields of one name: what is joined already can't be told apart. A field whose name is not a
    /// token (RFC 9110 §5.6.2) is left out, so that no field of a server hides the status; control characters in
    /// values become spaces.
    ///
    /// - Throws: ``HTTPTypesConversionError/invalidStatus(_:)``.
    public init<Value>(_ response: NetworkClient.Response<Value>) throws(HTTPTypesConversionError) {
        try self.init(status: response.statusCode, response.fields)
    }

    /// Creates a response with the status and all fields of a head, such as the one in an error, in their order.
    ///
    /// Otherwise behaves like the conversion of a received response.
    ///
    /// - Throws: ``HTTPTypesConversionError/invalidStatus(_:)``.
    public init(_ response: HTTPURLResponse) throws(HTTPTypesConversionError) {
        try self.init(status: response.statusCode, response.receivedFields)
    }

    private init(status: Int, _ fields: ResponseFields) throws(HTTPTypesConversionError) {
        guard 100...999 ~= status else { throw .invalidStatus(status) }
        var converted = HTTPFields()
        converted.reserveCapacity(fields.count)
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            converted.append(HTTPField(name: name, value: field.value))
        }
        self.init(status: Status(code: status), headerFields: converted)
    }
}

extension TransportResponse {
    /// Creates the response of a custom transport with the status and all fields of another, in their order.
    ///
    /// If the transport has decoded the body, the fields must have neither `Content-Encoding` nor the `Content-Length`
    /// of the coded body.
    ///
    /// - Parameters:
    ///   - response: The status and the fields.
    ///   - url: The URL of the request.
    ///   - data: The body, after content decoding.
    /// - Throws: ``HTTPTypesConversionError``.
    public init(_ response: HTTPResponse, url: URL, data: Data = Data()) throws(HTTPTypesConversionError) {
        let fields = response.headerFields.map { ResponseFields.Field(name: $0.name.rawName, value: $0.value) }
        let status = response.status.code
        guard let converted = Self(url: url, status: status, fields: ResponseFields(fields), data: data) else {
            throw .invalidStatus(status)
        }
        self = converted
    }
}

extension HTTPFields {
    init(validating fields: [(name: String, value: String)]) throws(HTTPTypesConversionError) {
        self.init()
        reserveCapacity(fields.count)
        for (text, value) in fields {
            guard let name = HTTPField.Name(text) else { throw .invalidField(name: text) }
            let field = HTTPField(name: name, value: value)
            // A value that is not valid was changed.
            guard field.value == value else { throw .invalidField(name: text) }
            append(field)
        }
    }
}
