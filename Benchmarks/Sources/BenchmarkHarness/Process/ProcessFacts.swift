import CAllocations
import Foundation

/// What the process uses at one moment; nil where the platform won't say.
public struct ProcessFacts: Sendable {
    /// Memory that is resident, in bytes.
    public let residentBytes: Int?

    /// The most that was resident since the start, or since ``resetPeak()``.
    public let peakResidentBytes: Int?

    /// Bytes that are allocated on the heap.
    public let heapBytes: Int?

    /// Open file descriptors.
    public let descriptors: Int?

    /// Threads.
    public let threads: Int?

    /// Reads them now, from `/proc`; everything is nil where there is none.
    ///
    /// - Returns: The facts.
    public static func now() -> ProcessFacts {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let heap = Int(heap_bytes_in_use())
        return ProcessFacts(
            residentBytes: number("VmRSS:", in: status).map { $0 * 1024 },
            peakResidentBytes: number("VmHWM:", in: status).map { $0 * 1024 },
            heapBytes: heap == 0 ? nil : heap,
            descriptors: countDescriptors(),
            threads: number("Threads:", in: status)
        )
    }

    /// Lets the peak begin again at what is resident now.
    public static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// Returns memory that is free to the system, so that what is resident is in use.
    public static func trim() {
        heap_trim()
    }

    private static func number(_ label: String, in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        return Int(line.dropFirst(label.count).filter(\.isNumber))
    }

    private static func countDescriptors() -> Int? {
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // One of them was open only to read the list.
        return open.map { $0.count - 1 }
    }
}
