import CAllocations
import Foundation

/// The resources that the process uses at one moment; nil where the platform doesn't tell.
public struct ProcessFacts: Sendable {
    /// Resident memory in bytes.
    public let residentBytes: Int?

    /// Peak of the resident memory since the start, or since ``resetPeak()``.
    public let peakResidentBytes: Int?

    /// Bytes allocated on the heap.
    public let heapBytes: Int?

    /// Open file descriptors.
    public let descriptors: Int?

    /// Threads.
    public let threads: Int?

    /// Reads the current facts from `/proc`; all are nil on systems without it.
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

    /// Resets the peak to the memory that is resident now.
    public static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// Returns free heap memory to the system, so that resident memory is memory in use.
    public static func trim() {
        heap_trim()
    }

    /// Has free memory returned to the system at once from now on.
    ///
    /// ``trim()`` does not reach the free ends of the arenas in which threads allocate. glibc has eight arenas for each
    /// processor, and keeps up to 64 MB at the end of each: 80 MB for a server with fifty threads.
    public static func keepLittleFreeMemory() {
        heap_keep_little()
    }

    private static func number(_ label: String, in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        return Int(line.dropFirst(label.count).filter(\.isNumber))
    }

    private static func countDescriptors() -> Int? {
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // One descriptor was open only to read the list.
        return open.map { $0.count - 1 }
    }
}

/// How busy other processes keep the machine, which shows how reliable a measurement is; Linux only.
public struct MachineUse: Sendable {
    private let elapsed = Clocks.elapsed
    private let all: Double?
    private let own: Double

    /// Reads the current use of the processors.
    ///
    /// - Parameter processes: Processes that, like this one, don't belong to the "others".
    public init(without processes: [Int32] = []) {
        let files = ["/proc/self/stat"] + processes.map { "/proc/\($0)/stat" }
        own = files.compactMap(Self.ticksOfProcess).reduce(0, +)
        all = Self.ticksOfMachine()
    }

    /// Returns the share of all processors, from 0 to 1, that other processes have used since an earlier reading.
    ///
    /// Counts user time only: the kernel's work for the network can't be attributed to a process. Nil if unknown.
    public func others(since earlier: MachineUse) -> Double? {
        guard let all, let before = earlier.all, elapsed > earlier.elapsed else { return nil }
        let ticks = (all - before) - (own - earlier.own)
        let seconds = Double(elapsed - earlier.elapsed) / 1_000_000_000
        let available = seconds * Double(sysconf(Int32(_SC_CLK_TCK)) * ProcessInfo.processInfo.activeProcessorCount)
        return max(0, min(1, ticks / available))
    }

    /// User, nice and stolen time.
    private static func ticksOfMachine() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let figures = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
        return figures.count >= 8 ? figures[0] + figures[1] + figures[7] : nil
    }

    /// The user time of a process and of its children that have ended.
    private static func ticksOfProcess(_ path: String) -> Double? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        // The process name before the last parenthesis may contain any character.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let own = Double(fields[11]), let children = Double(fields[13]) else { return nil }
        return own + children
    }
}
