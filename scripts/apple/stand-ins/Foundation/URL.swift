import Darwin
import Dispatch
import ObjectiveC

public struct URL: Hashable, Sendable, Codable, _StandInBridged, CustomStringConvertible {
    public typealias _ObjectiveCType = NSURL
    public init?(string: String) {}
    public init?(string: String, relativeTo: URL?) {}
    public init(fileURLWithPath: String) {}
    public init(fileURLWithPath: String, isDirectory: Bool) {}
    public var absoluteString: String { "" }
    public var relativeString: String { "" }
    public var absoluteURL: URL { self }
    public var scheme: String? { nil }
    public var host: String? { nil }
    public var port: Int? { nil }
    public var path: String { "" }
    public var fragment: String? { nil }
    public var user: String? { nil }
    public var password: String? { nil }
    public var baseURL: URL? { nil }
    public var query: String? { nil }
    public var isFileURL: Bool { false }
    public var lastPathComponent: String { "" }
    public var pathExtension: String { "" }
    public var pathComponents: [String] { [] }
    public var hasDirectoryPath: Bool { false }
    public func appendingPathComponent(_ s: String) -> URL { self }
    public func appendingPathComponent(_ s: String, isDirectory: Bool) -> URL { self }
    public func deletingLastPathComponent() -> URL { self }
    public func appendingPathExtension(_ s: String) -> URL { self }
    public func deletingPathExtension() -> URL { self }
    public func resolvingSymlinksInPath() -> URL { self }
    public var description: String { "" }
}

public struct URLQueryItem: Hashable, Sendable {
    public var name: String
    public var value: String?
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}

public struct URLComponents: Hashable, Sendable {
    public init?(url: URL, resolvingAgainstBaseURL: Bool) {}
    public init?(string: String) {}
    public var string: String? { nil }
    public var user: String? {
        get { nil }
        set {}
    }
    public var password: String? {
        get { nil }
        set {}
    }
    public var port: Int? {
        get { nil }
        set {}
    }
    public var scheme: String? {
        get { nil }
        set {}
    }
    public var path: String {
        get { "" }
        set {}
    }
    public var query: String? {
        get { nil }
        set {}
    }
    public var fragment: String? {
        get { nil }
        set {}
    }
    public var host: String? {
        get { nil }
        set {}
    }
    public var percentEncodedPath: String {
        get { "" }
        set {}
    }
    public var percentEncodedFragment: String? {
        get { nil }
        set {}
    }
    public var percentEncodedQuery: String? {
        get { nil }
        set {}
    }
    public var url: URL? { nil }
    public var queryItems: [URLQueryItem]? {
        get { nil }
        set {}
    }
}
