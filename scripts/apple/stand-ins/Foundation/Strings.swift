import Darwin
import Dispatch
import ObjectiveC

public struct CharacterSet: Sendable {
    public init(charactersIn: String) {}
    public init(charactersIn: ClosedRange<Unicode.Scalar>) {}
    public func subtracting(_ o: CharacterSet) -> CharacterSet { self }
    public static let whitespaces = CharacterSet(charactersIn: ""), newlines = CharacterSet(charactersIn: ""),
        alphanumerics = CharacterSet(charactersIn: "")
}

extension StringProtocol {
    public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
    public func replacingOccurrences<A: StringProtocol, B: StringProtocol>(
        of: A,
        with: B,
        options: String.CompareOptions = [],
        range: Range<Index>? = nil
    ) -> String { "" }
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
    public func trimmingCharacters(in set: CharacterSet) -> String { "" }
    public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { nil }
    public var removingPercentEncoding: String? { nil }
    public func components<T: StringProtocol>(separatedBy: T) -> [String] { [] }
    public func range<T: StringProtocol>(
        of s: T,
        options: String.CompareOptions = [],
        range: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> Range<Index>? { nil }
}

extension String {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let caseInsensitive = Self(rawValue: 1)
        public static let literal = Self(rawValue: 2)
        public static let backwards = Self(rawValue: 4)
        public static let anchored = Self(rawValue: 8)
        public static let regularExpression = Self(rawValue: 1024)
    }
    public init(format: String, _ args: any CVarArg...) { fatalError() }
    public init?(data: Data, encoding: Encoding) { nil }
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let ascii = Encoding(rawValue: 1)
        public static let utf8 = Encoding(rawValue: 4)
        public static let isoLatin1 = Encoding(rawValue: 5)
        public static let windowsCP1252 = Encoding(rawValue: 12)
        public static let utf16 = Encoding(rawValue: 10)
        public static let utf32 = Encoding(rawValue: 0x8c000100)
        public static let utf32BigEndian = Encoding(rawValue: 0x98000100)
        public static let utf32LittleEndian = Encoding(rawValue: 0x9c000100)
        public static let utf16BigEndian = Encoding(rawValue: 0x90000100)
        public static let utf16LittleEndian = Encoding(rawValue: 0x94000100)
    }
    public init(contentsOfFile: String, encoding: Encoding) throws { fatalError() }
    public init(contentsOf: URL, encoding: Encoding) throws { fatalError() }
}

extension StringProtocol { public var capitalized: String { "" } }
