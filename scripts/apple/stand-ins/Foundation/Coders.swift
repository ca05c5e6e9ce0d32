import Darwin
import Dispatch
import ObjectiveC

open class JSONEncoder {
    open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = Self(rawValue: 1)
        @available(macOS 10.13, iOS 11.0, watchOS 4.0, tvOS 11.0, *) public static let sortedKeys = Self(rawValue: 2)
        @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) public static let withoutEscapingSlashes = Self(
            rawValue: 8
        )
    }
    public enum DateEncodingStrategy: Sendable {
        case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601
        @preconcurrency case custom(@Sendable (Date, any Encoder) throws -> Void)
    }
    public enum NonConformingFloatEncodingStrategy: Sendable {
        case `throw`, convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
        get { .throw }
        set {}
    }
    public enum KeyEncodingStrategy: Sendable { case useDefaultKeys, convertToSnakeCase }
    public init() {}
    open var outputFormatting: OutputFormatting {
        get { [] }
        set {}
    }
    open var dateEncodingStrategy: DateEncodingStrategy {
        get { .deferredToDate }
        set {}
    }
    open var keyEncodingStrategy: KeyEncodingStrategy {
        get { .useDefaultKeys }
        set {}
    }
    open func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}

extension JSONEncoder: @unchecked Sendable {}

open class JSONDecoder {
    public enum DateDecodingStrategy: Sendable {
        case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601
        case formatted(DateFormatter)
        @preconcurrency case custom(@Sendable (any Decoder) throws -> Date)
    }
    public enum KeyDecodingStrategy: Sendable {
        case useDefaultKeys, convertFromSnakeCase
        @preconcurrency case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }
    public enum DataDecodingStrategy: Sendable {
        case deferredToData, base64
        @preconcurrency case custom(@Sendable (any Decoder) throws -> Data)
    }
    public enum NonConformingFloatDecodingStrategy: Sendable {
        case `throw`, convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    public init() {}
    open var userInfo: [CodingUserInfoKey: Any] { get { [:] } set {} }
    open var allowsJSON5: Bool { get { false } set {} }
    open var assumesTopLevelDictionary: Bool { get { false } set {} }
    open var dataDecodingStrategy: DataDecodingStrategy { get { .base64 } set {} }
    open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy { get { .throw } set {} }
    open var dateDecodingStrategy: DateDecodingStrategy {
        get { .deferredToDate }
        set {}
    }
    open var keyDecodingStrategy: KeyDecodingStrategy {
        get { .useDefaultKeys }
        set {}
    }
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

extension JSONDecoder: @unchecked Sendable {}

open class JSONSerialization: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = WritingOptions(rawValue: 1)
        public static let sortedKeys = WritingOptions(rawValue: 2)
        public static let fragmentsAllowed = WritingOptions(rawValue: 4)
        @available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, *)
        public static let withoutEscapingSlashes = WritingOptions(rawValue: 8)
    }
    open class func jsonObject(with: Data, options: ReadingOptions = []) throws -> Any { 0 }
    open class func data(withJSONObject: Any, options: WritingOptions = []) throws -> Data { Data() }
}
