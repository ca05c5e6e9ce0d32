package import Foundation

/// What all streams of this library have in common: they are read when bytes are wanted, and tell nobody of events.
///
/// There is no run loop to be scheduled in, no delegate that is ever called, and no buffer to share. It is there to be
/// subclassed: what opens, reads and closes is the subclass's.
package class UnscheduledInputStream: InputStream {
    private weak var observer: (any StreamDelegate)?

    package override var delegate: (any StreamDelegate)? {
        get { observer }
        set { observer = newValue }
    }

    package override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    package override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    /// There is no buffer to share: bytes go straight into the one that `read` is given.
    package override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    /// Also true for a stream that has failed: FoundationNetworking takes false for the end, and would send an empty
    /// body where `read` says that there is none.
    package override var hasBytesAvailable: Bool {
        [.open, .error].contains(streamStatus)
    }
}
