/// Rounds in which each variant takes its turn, so that a noisy minute meets all of them.
struct TransferRounds: Sendable {
    let rounds: Int
    let process: TransferProcess

    func measure(_ variants: [TransferVariant], _ kind: TransferKind) throws -> MeasuredKind {
        let variants = variants.filter { $0.kinds.contains(kind) }
        var turns = variants.map { _ in [TransferTurn]() }
        for round in 0..<rounds {
            // Each round begins with another variant, so that none always follows the same one.
            for position in variants.indices {
                let index = (position + round) % variants.count
                turns[index].append(try process.turn(variants[index], kind))
            }
        }
        let bytes = process.files.bytes
        let measured = zip(variants, turns).map { MeasuredTransfers(name: $0.name, bytes: bytes, turns: $1) }
        return MeasuredKind(kind: kind, variants: measured)
    }
}
