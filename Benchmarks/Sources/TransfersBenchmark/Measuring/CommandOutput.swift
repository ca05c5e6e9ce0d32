/// What a program wrote: the server's answer if it has sent something, then bytes received and seconds, then what
/// `MeasuredRun` adds.
struct CommandOutput {
    let seconds: Double
    let processorSeconds: Double
    let peakBytes: Int

    init(_ lines: [String], _ target: TransferTarget, _ kind: TransferKind) throws {
        let lines = lines.map { $0.split(separator: " ").map(String.init) }
        let (own, added) = (lines.dropLast().last ?? [], lines.last ?? [])
        guard own.count == 2, added.count == 2, let received = Int(own[0]), let seconds = Double(own[1]),
            let processorSeconds = Double(added[0]), let peakBytes = Int(added[1])
        else { throw UnexpectedTransfer("the output says nothing: \(lines)") }
        let count = kind.isSent ? lines.first?.first.flatMap { Int($0) } ?? 0 : received
        guard target.accepts(count, kind) else { throw UnexpectedTransfer("\(count) bytes") }
        self.seconds = seconds
        self.processorSeconds = processorSeconds
        self.peakBytes = peakBytes
    }
}
