import Foundation

/// How busy other processes keep the machine, which says how much a measurement is worth; on Linux.
public struct MachineUse: Sendable {
    private let elapsed = Clocks.elapsed
    private let all: Double?
    private let own: Double

    /// Reads it now.
    ///
    /// - Parameter processes: Those which, besides this one, are no others.
    public init(without processes: [Int32] = []) {
        let files = ["/proc/self/stat"] + processes.map { "/proc/\($0)/stat" }
        own = files.compactMap(Self.ticksOfProcess).reduce(0, +)
        all = Self.ticksOfMachine()
    }

    /// The part of all processors that others have used since.
    ///
    /// Only what they do outside the kernel: what a processor does for the network is nobody's for certain.
    ///
    /// - Parameter earlier: An earlier reading.
    /// - Returns: 0…1; nil where it cannot be known.
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

    /// Its user time, and that of the processes that it started and that have ended.
    private static func ticksOfProcess(_ path: String) -> Double? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        // The name before it may hold anything.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let own = Double(fields[11]), let children = Double(fields[13]) else { return nil }
        return own + children
    }
}
