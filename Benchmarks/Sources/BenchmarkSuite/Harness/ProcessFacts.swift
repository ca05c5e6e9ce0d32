import CMeasuring
import Foundation
import Synchronization

/// The resources that the process uses at one moment; nil where the platform doesn't tell.
struct ProcessFacts: Sendable {
    /// Resident memory in bytes.
    let residentBytes: Int?

    /// Peak of the resident memory since the start, or since ``resetPeak()``.
    let peakResidentBytes: Int?

    /// Bytes allocated on the heap.
    let heapBytes: Int?

    /// Open file descriptors.
    let descriptors: Int?

    /// Threads.
    let threads: Int?

    /// Reads the current facts from `/proc`; all are nil on systems without it.
    static func now() -> ProcessFacts {
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

    /// The resident memory of another process, and its peak since the start, in bytes; nil if unknown.
    static func residentBytes(of process: Int32) -> (now: Int, peak: Int)? {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        guard let now = number("VmRSS:", in: status), let peak = number("VmHWM:", in: status) else { return nil }
        return (now * 1024, peak * 1024)
    }

    /// Resets the peak to the memory that is resident now.
    static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
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

extension Process {
    /// Runs a command, whose first element is the path of a program, and returns whether it ended with 0.
    static func succeeds(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}

/// A value behind a lock.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    /// Runs a closure with exclusive access to the value.
    func withLock<Result: Sendable, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { (value) throws(Failure) in try body(&value) }
    }
}

/// Waits until the process is idle, or until a condition holds.
enum Quiescence {
    /// Waits until this process was nearly idle in three samples, 10 ms apart, but at most the given seconds.
    static func wait(atMost seconds: Double = 10) async {
        var (before, quietSamples) = (Clocks.processor, -1)
        _ = await wait(atMost: seconds) {
            let now = Clocks.processor
            quietSamples = quietSamples < 0 || now - before >= 1_000_000 ? 0 : quietSamples + 1
            before = now
            return quietSamples == 3
        }
    }

    /// Checks a condition every 10 ms until it holds; returns false after the given seconds.
    static func wait(atMost seconds: Double, until condition: () -> Bool) async -> Bool {
        let start = Clocks.elapsed
        while !condition() {
            guard Clocks.seconds(since: start) < seconds else { return false }
            try? await Task.sleep(nanoseconds: 10_000_000)
        }
        return true
    }
}

/// Ends the process with a message when there was no progress for a while, so that a hang becomes a failure.
final class Watchdog: Sendable {
    /// The time of the last progress; nil once the watchdog is stopped.
    private let lastSign = Locked<UInt64?>(Clocks.elapsed)

    /// Starts to watch on a separate thread, which shares nothing that may hang.
    ///
    /// The seconds are the longest time without progress; the description is of the work in flight.
    init(seconds: Double, _ describe: @escaping @Sendable () -> String) {
        Thread.detachNewThread { [lastSign] in
            while let last = lastSign.withLock({ $0 }) {
                if Clocks.seconds(since: last) > seconds {
                    Self.end("hang: nothing moved for \(seconds) s: \(describe())\n")
                }
                usleep(200_000)
            }
        }
    }

    /// Records progress.
    func sign() {
        lastSign.withLock { $0 = Clocks.elapsed }
    }

    func stop() {
        lastSign.withLock { $0 = nil }
    }

    /// With the environment variable `BENCHMARKS_HOLD` the process keeps hanging, for a debugger.
    private static func end(_ message: String) {
        FileHandle.standardError.write(Data(message.utf8))
        if ProcessInfo.processInfo.environment["BENCHMARKS_HOLD"] != nil { while true { sleep(3600) } }
        abort()
    }
}

/// How busy other processes keep the machine, which shows how reliable a measurement is; Linux only.
struct MachineUse: Sendable {
    private let elapsed = Clocks.elapsed
    private let all: Double?
    private let own: Double

    /// Reads the current use of the processors; a server's process doesn't belong to the "others".
    init(server: Int32) {
        own = ["/proc/self/stat", "/proc/\(server)/stat"].compactMap(Self.ticksOfProcess).reduce(0, +)
        all = Self.ticksOfMachine()
    }

    /// Reports the share of all processors that other processes have used since an earlier reading.
    ///
    /// Counts user time only: the kernel's work for the network can't be attributed to a process.
    func report(since earlier: MachineUse, to report: Report) {
        guard let all, let before = earlier.all, elapsed > earlier.elapsed else { return }
        let ticks = (all - before) - (own - earlier.own)
        let seconds = Double(elapsed - earlier.elapsed) / 1_000_000_000
        let available = seconds * Double(sysconf(Int32(_SC_CLK_TCK)) * ProcessInfo.processInfo.activeProcessorCount)
        let percent = format(max(0, min(1, ticks / available)) * 100, digits: 0)
        report.note("Other processes used \(percent) % of the machine during the run.")
    }

    /// User, nice and stolen time.
    private static func ticksOfMachine() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
        return ticks.count >= 8 ? ticks[0] + ticks[1] + ticks[7] : nil
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
