import Darwin
import Dispatch
import ObjectiveC

open class NSError: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable, Error {
    public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
    public required init?(coder: NSCoder) { nil }
    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    public func copy(with zone: UnsafeMutableRawPointer?) -> Any { self }
    open var domain: String { "" }
    open var code: Int { 0 }
    open var localizedDescription: String { "" }
    open var userInfo: [String: Any] { [:] }
}

public let NSLocalizedDescriptionKey = "", NSURLErrorFailingURLErrorKey = "", NSPOSIXErrorDomain = ""

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
    public static var errorDomain: String { "" }
    public var errorCode: Int { 0 }
    public var errorUserInfo: [String: Any] { [:] }
}

extension Error { public var localizedDescription: String { "" } }

public struct POSIXError: Error, CustomNSError, Hashable, Sendable {
    public typealias Code = POSIXErrorCode
    public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:]) { self.code = code }
    public let code: Code
}

public struct CocoaError: Error, CustomNSError, Sendable {
    public struct Code: Hashable, Sendable {
        public static let fileReadUnknown = Code(), fileWriteUnknown = Code(), featureUnsupported = Code()
    }
    public init(_ c: Code, userInfo: [String: Any] = [:]) {}
}

public struct URLError: Error, CustomNSError, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var timedOut: Code { fatalError() }
        public static var notConnectedToInternet: Code { fatalError() }
        public static var dataNotAllowed: Code { fatalError() }
        public static var internationalRoamingOff: Code { fatalError() }
        public static var cannotFindHost: Code { fatalError() }
        public static var dnsLookupFailed: Code { fatalError() }
        public static var cannotConnectToHost: Code { fatalError() }
        public static var networkConnectionLost: Code { fatalError() }
        public static var badServerResponse: Code { fatalError() }
        public static var cannotParseResponse: Code { fatalError() }
        public static var cannotDecodeRawData: Code { fatalError() }
        public static var cannotDecodeContentData: Code { fatalError() }
        public static var zeroByteResource: Code { fatalError() }
        public static var secureConnectionFailed: Code { fatalError() }
        public static var serverCertificateHasBadDate: Code { fatalError() }
        public static var serverCertificateUntrusted: Code { fatalError() }
        public static var serverCertificateHasUnknownRoot: Code { fatalError() }
        public static var serverCertificateNotYetValid: Code { fatalError() }
        public static var clientCertificateRejected: Code { fatalError() }
        public static var clientCertificateRequired: Code { fatalError() }
        public static var appTransportSecurityRequiresSecureConnection: Code { fatalError() }
        public static var cancelled: Code { fatalError() }
        public static var userCancelledAuthentication: Code { fatalError() }
        public static var requestBodyStreamExhausted: Code { fatalError() }
        public static var badURL: Code { fatalError() }
        public static var unsupportedURL: Code { fatalError() }
        public static var unknown: Code { fatalError() }
        public static var httpTooManyRedirects: Code { fatalError() }
        public static var resourceUnavailable: Code { fatalError() }
        public static var redirectToNonExistentLocation: Code { fatalError() }
        public static var userAuthenticationRequired: Code { fatalError() }
        public static var fileDoesNotExist: Code { fatalError() }
        public static var fileIsDirectory: Code { fatalError() }
        public static var noPermissionsToReadFile: Code { fatalError() }
        public static var dataLengthExceedsMaximum: Code { fatalError() }
        public static var cannotLoadFromNetwork: Code { fatalError() }
        public static var cannotCreateFile: Code { fatalError() }
        public static var cannotOpenFile: Code { fatalError() }
        public static var cannotCloseFile: Code { fatalError() }
        public static var cannotWriteToFile: Code { fatalError() }
        public static var cannotRemoveFile: Code { fatalError() }
        public static var cannotMoveFile: Code { fatalError() }
        public static var downloadDecodingFailedMidStream: Code { fatalError() }
        public static var downloadDecodingFailedToComplete: Code { fatalError() }
        public static var callIsActive: Code { fatalError() }
        public static var backgroundSessionRequiresSharedContainer: Code { fatalError() }
        public static var backgroundSessionInUseByAnotherProcess: Code { fatalError() }
        public static var backgroundSessionWasDisconnected: Code { fatalError() }
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
    public let code: Code
    public static var timedOut: Code { fatalError() }
    public static var notConnectedToInternet: Code { fatalError() }
    public static var dataNotAllowed: Code { fatalError() }
    public static var internationalRoamingOff: Code { fatalError() }
    public static var cannotFindHost: Code { fatalError() }
    public static var dnsLookupFailed: Code { fatalError() }
    public static var cannotConnectToHost: Code { fatalError() }
    public static var networkConnectionLost: Code { fatalError() }
    public static var badServerResponse: Code { fatalError() }
    public static var cannotParseResponse: Code { fatalError() }
    public static var cannotDecodeRawData: Code { fatalError() }
    public static var cannotDecodeContentData: Code { fatalError() }
    public static var zeroByteResource: Code { fatalError() }
    public static var secureConnectionFailed: Code { fatalError() }
    public static var serverCertificateHasBadDate: Code { fatalError() }
    public static var serverCertificateUntrusted: Code { fatalError() }
    public static var serverCertificateHasUnknownRoot: Code { fatalError() }
    public static var serverCertificateNotYetValid: Code { fatalError() }
    public static var clientCertificateRejected: Code { fatalError() }
    public static var clientCertificateRequired: Code { fatalError() }
    public static var appTransportSecurityRequiresSecureConnection: Code { fatalError() }
    public static var cancelled: Code { fatalError() }
    public static var userCancelledAuthentication: Code { fatalError() }
    public static var requestBodyStreamExhausted: Code { fatalError() }
    public static var badURL: Code { fatalError() }
    public static var unsupportedURL: Code { fatalError() }
    public static var unknown: Code { fatalError() }
    public static var httpTooManyRedirects: Code { fatalError() }
    public static var resourceUnavailable: Code { fatalError() }
    public static var redirectToNonExistentLocation: Code { fatalError() }
    public static var userAuthenticationRequired: Code { fatalError() }
    public static var fileDoesNotExist: Code { fatalError() }
    public static var fileIsDirectory: Code { fatalError() }
    public static var noPermissionsToReadFile: Code { fatalError() }
    public static var dataLengthExceedsMaximum: Code { fatalError() }
    public static var cannotLoadFromNetwork: Code { fatalError() }
    public static var cannotCreateFile: Code { fatalError() }
    public static var cannotOpenFile: Code { fatalError() }
    public static var cannotCloseFile: Code { fatalError() }
    public static var cannotWriteToFile: Code { fatalError() }
    public static var cannotRemoveFile: Code { fatalError() }
    public static var cannotMoveFile: Code { fatalError() }
    public static var downloadDecodingFailedMidStream: Code { fatalError() }
    public static var downloadDecodingFailedToComplete: Code { fatalError() }
    public static var callIsActive: Code { fatalError() }
    public static var backgroundSessionRequiresSharedContainer: Code { fatalError() }
    public static var backgroundSessionInUseByAnotherProcess: Code { fatalError() }
    public static var backgroundSessionWasDisconnected: Code { fatalError() }
    public static func == (a: URLError, b: URLError) -> Bool { false }
    public func hash(into h: inout Hasher) {}
    public var failingURL: URL? { nil }
    public var userInfo: [String: Any] { [:] }
}

public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }

public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
