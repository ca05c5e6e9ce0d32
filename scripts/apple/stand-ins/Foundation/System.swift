import Darwin
import Dispatch
import ObjectiveC

open class NSLock: NSObject, @unchecked Sendable {
    @available(*, noasync, message: "Use async-safe scoped locking instead") open func lock() {}
    @available(*, noasync, message: "Use async-safe scoped locking instead") open func unlock() {}
}

open class Bundle: NSObject, @unchecked Sendable {
    open class var main: Bundle { fatalError() }
    public convenience init?(url: URL) { nil }
    open var bundleURL: URL { fatalError() }
    open var bundleIdentifier: String? { nil }
    open var executableURL: URL? { nil }
    open func url(forResource name: String?, withExtension ext: String?) -> URL? { nil }
}

open class FileManager: NSObject {
    open class var `default`: FileManager { fatalError() }
    open func removeItem(at: URL) throws {}
    open func removeItem(atPath: String) throws {}
    open func createSymbolicLink(at: URL, withDestinationURL: URL) throws {}
    open func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
    open func setAttributes(_ a: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
    open func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
    open func attributesOfFileSystem(forPath: String) throws -> [FileAttributeKey: Any] { [:] }
    open func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
    open func createFile(atPath: String, contents: Data?) -> Bool { false }
    open func moveItem(at: URL, to: URL) throws {}
    open func fileExists(atPath: String) -> Bool { false }
    open func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
    open func isExecutableFile(atPath: String) -> Bool { false }
    open func isWritableFile(atPath: String) -> Bool { false }
    open func isReadableFile(atPath: String) -> Bool { false }
    open var temporaryDirectory: URL { fatalError() }
    open func createDirectory(at: URL, withIntermediateDirectories: Bool, attributes: [String: Any]? = nil) throws {}
    open func contentsOfDirectory(atPath: String) throws -> [String] { [] }
    public struct DirectoryEnumerationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let skipsHiddenFiles = Self(rawValue: 4)
    }
    open func enumerator(at: URL, includingPropertiesForKeys: [Int]?, options: DirectoryEnumerationOptions = [])
        -> DirectoryEnumerator?
    { nil }
    open class DirectoryEnumerator: NSObject, Sequence {
        open var level: Int { 0 }
        open func skipDescendants() {}
        public func makeIterator() -> AnyIterator<Any> { fatalError() }
    }
}

open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardError: FileHandle { fatalError() }
    open class var standardOutput: FileHandle { fatalError() }
    open class var nullDevice: FileHandle { fatalError() }
    public convenience init?(forReadingAtPath: String) { nil }
    public convenience init(forReadingFrom: URL) throws { fatalError() }
    public convenience init(forWritingTo: URL) throws { fatalError() }
    open func readDataToEndOfFile() -> Data { Data() }
    open func seek(toFileOffset: UInt64) {}
    open func write(_ data: Data) {}
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *) public func write<T: DataProtocol>(contentsOf: T)
        throws
    {}
    @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *) public func readToEnd() throws -> Data? { nil }
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) open func truncate(atOffset: UInt64) throws {}
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) open func close() throws {}
}

open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { fatalError() }
    open var environment: [String: String] { [:] }
    open var activeProcessorCount: Int { 1 }
}

open class Thread: NSObject, @unchecked Sendable {
    public override init() {}
    public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
    open class func detachNewThread(_ b: @escaping @Sendable () -> Void) {}
    open var stackSize: Int {
        get { 0 }
        set {}
    }
    open var name: String? {
        get { nil }
        set {}
    }
    open func start() {}
}

@available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
@available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
@available(visionOS, unavailable)
open class Process: NSObject, @unchecked Sendable {
    public override init() {}
    open var executableURL: URL?
    open var arguments: [String]?
    open var standardInput: Any?
    open var standardOutput: Any?
    open var standardError: Any?
    open var terminationHandler: (@Sendable (Process) -> Void)?
    open func run() throws {}
    open func waitUntilExit() {}
    open var terminationStatus: Int32 { 0 }
}

open class OperationQueue: NSObject, @unchecked Sendable {
    open func addOperation(_ b: @escaping @Sendable () -> Void) {}
}

public struct FileAttributeKey: Hashable, Sendable {
    public static let modificationDate = Self(), posixPermissions = Self(), size = Self(), systemFreeSize = Self()
}

open class Pipe: NSObject, @unchecked Sendable {
    open var fileHandleForReading: FileHandle { fatalError() }
    open var fileHandleForWriting: FileHandle { fatalError() }
}
