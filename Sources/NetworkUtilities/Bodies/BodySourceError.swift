public import Foundation

/// A body that could not be read to its end while it was to be sent.
///
/// Nothing is sent as if it were complete: the request fails. The text names the file, never its content.
public enum BodySourceError: Error, Sendable, Equatable {
    /// There is no file at the URL.
    case fileMissing(url: URL)

    /// The URL leads to a directory, a device or a pipe, or is no file URL.
    case notARegularFile(url: URL)

    /// The system refuses to open or to read the file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - code: The system's error number (`errno`).
    case fileUnreadable(url: URL, code: Int32)

    /// The file is not the one that the request was made with: it shrank, grew, was written to or replaced.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - expectedLength: The number of bytes that it had when the request was made.
    ///   - actualLength: The number of bytes that it has now.
    case fileChanged(url: URL, expectedLength: Int, actualLength: Int)

    /// A source ended before the length that it had announced.
    ///
    /// - Parameters:
    ///   - expectedLength: The number of bytes that were announced.
    ///   - actualLength: The number of bytes that there were.
    case endedEarly(expectedLength: Int, actualLength: Int)

    /// A source goes on after the length that it had announced.
    ///
    /// - Parameter expectedLength: The number of bytes that were announced.
    case tooLong(expectedLength: Int)

    /// A source announces a length below 0.
    case invalidLength(Int)

    /// A reader says that it filled fewer than 0 bytes, or more than there was room for.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that it says it filled.
    ///   - capacity: The number of bytes that there was room for.
    case invalidReadCount(_ count: Int, capacity: Int)

    /// The body is a sequence that was sent before, and can be asked for its elements once.
    ///
    /// A plain `URLSession` gets it; `NetworkClient` has a reason of its own for this.
    case notReplayable
}

extension BodySourceError: CustomStringConvertible {
    /// One sentence that names the file and what is wrong with it.
    public var description: String {
        switch self {
        case .fileMissing(let url):
            return "The body cannot be read: there is no file '\(url.path)'."
        case .notARegularFile(let url):
            return "The body cannot be read: '\(url.path)' is not a regular file."
        case .fileUnreadable(let url, let code):
            return "The body cannot be read: the system refuses the file '\(url.path)' (errno \(code))."
        case .fileChanged(let url, let expected, let actual):
            let change =
                expected == actual
                ? "its content was replaced"
                : "it had \(expected) bytes and now has \(actual)"
            return "The body cannot be read: the file '\(url.path)' changed after the request was made (\(change))."
        case .endedEarly(let expected, let actual):
            return "The body cannot be read: it ended after \(actual) of \(expected) bytes."
        case .tooLong(let expected):
            return "The body cannot be read: it goes on after the \(expected) bytes that it was to have."
        case .invalidLength(let length):
            return "The body cannot be read: its source announces a length of \(length) bytes."
        case .invalidReadCount(let count, let capacity):
            return "The body cannot be read: its reader claims \(count) bytes where \(capacity) have room."
        case .notReplayable:
            return "The body cannot be read: it is a sequence that was sent before."
        }
    }
}
