import Foundation
public import NetworkClient

/// A progress bar that is redrawn in a terminal; elsewhere, only its last state is printed.
public struct ProgressBar {
    private static let width = 40

    private let begin = Date.now
    private let isTerminal = isatty(FileHandle.standardOutput.fileDescriptor) == 1
    private var last: TransferProgress?
    private var first = 0

    /// Creates a bar whose speed counts from now on.
    public init() {}

    /// Draws the bar.
    public mutating func show(_ progress: TransferProgress) {
        // A resumed download begins with the bytes that were there before.
        if last == nil { first = progress.completed }
        last = progress
        if isTerminal { write("\r" + text(progress)) }
    }

    /// Draws the last state, and ends the line.
    public mutating func end() {
        guard let last else { return }
        write((isTerminal ? "\r" : "") + text(last) + "\n")
    }

    private func text(_ progress: TransferProgress) -> String {
        let megabytes = String(format: "%7.1f MB", Double(progress.completed) / 1e6)
        let seconds = max(Date.now.timeIntervalSince(begin), 0.001)
        let speed = String(format: "%7.1f MB/s", Double(progress.completed - first) / 1e6 / seconds)
        guard let fraction = progress.fraction else { return "\(megabytes) \(speed)" }
        let filled = Int(fraction * Double(Self.width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        return "\(bar) \(String(format: "%3.0f", fraction * 100)) % \(megabytes) \(speed)"
    }

    private func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
