/// What was found with one kind of transfer.
struct MeasuredKind: Sendable {
    let kind: TransferKind
    let variants: [MeasuredTransfers]

    /// Nil if it was not measured.
    func figures(of name: String) -> MeasuredTransfers? { variants.first { $0.name == name } }
}
