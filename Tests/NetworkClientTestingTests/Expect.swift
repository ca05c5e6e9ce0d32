import Foundation
import Testing

/// Expects two values to be equal, and fails with both values otherwise; `context` is the row of a table.
///
/// A call takes the compiler 6 ms, `#expect(actual == expected)` 20. Each test target compiles this file, through a
/// link, for the reason of ``LongComputationTrait``.
func expect<Value: Equatable>(
    _ actual: Value,
    _ expected: Value,
    _ context: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard actual != expected else { return }
    let context = context()
    let place = context.isEmpty ? "" : " (\(context))"
    Issue.record(
        "Expected \(text(of: expected)), but got \(text(of: actual))\(place)",
        sourceLocation: sourceLocation
    )
}

/// Bytes that are a short text are shown as such, since Foundation describes only their number.
private func text(of value: some Any) -> String {
    guard let data = value as? Data, data.count < 1_000, let text = String(data: data, encoding: .utf8) else {
        return String(reflecting: value)
    }
    return "\(data.count) bytes \(text.debugDescription)"
}
