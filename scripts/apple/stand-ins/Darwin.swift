@_exported import Darwin
public typealias OSStatus = Int32
public var errno: Int32 {
    get { fatalError() }
    set {}
}
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFLNK: mode_t { 0o120000 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public enum POSIXErrorCode: Int32, Sendable {
    case EPERM = 1, ENOENT = 2, EINTR = 4, EIO = 5, EBADF = 9, EACCES = 13, EBUSY = 16, EEXIST = 17
    case ENOTDIR = 20, EISDIR = 21, EINVAL = 22, EMFILE = 24, EFBIG = 27, ENOSPC = 28, EROFS = 30, EPIPE = 32
    case EAGAIN = 35, ENOTSUP = 45, ECONNRESET = 54, ETIMEDOUT = 60, ECONNREFUSED = 61, ELOOP = 62
    case ENAMETOOLONG = 63, EDQUOT = 69, EOVERFLOW = 84, ECANCELED = 89
}
