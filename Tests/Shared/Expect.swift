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
    fail(text(of: actual), text(of: expected), context(), sourceLocation)
}

/// Expects pairs of values to be equal, such as the status and the body of a response, and fails with all of them
/// otherwise.
///
/// It isn't an overload of `expect`, because the compiler would try that for each call.
func expectAll<each Value: Equatable>(
    _ actual: (repeat each Value),
    _ expected: (repeat each Value),
    _ context: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var (actualTexts, expectedTexts, areEqual) = ([String](), [String](), true)
    for (one, other) in repeat (each actual, each expected) {
        actualTexts.append(text(of: one))
        expectedTexts.append(text(of: other))
        areEqual = areEqual && one == other
    }
    // Not by their texts, which are equal for two secrets.
    guard !areEqual else { return }
    let (actual, expected) = (actualTexts.joined(separator: ", "), expectedTexts.joined(separator: ", "))
    fail("(\(actual))", "(\(expected))", context(), sourceLocation)
}

/// Expects a text that contains all of `parts`, and fails with the text otherwise.
func expect(_ text: String?, contains parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let missing = parts.filter { text?.contains($0) != true }
    guard !missing.isEmpty else { return }
    Issue.record("Expected \(missing) in \(text.debugDescription)", sourceLocation: sourceLocation)
}

/// Expects a text that contains none of `parts`, such as a secret, and fails with the text otherwise, or if it is nil.
func expect(_ text: String?, lacks parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let found = parts.filter { text?.contains($0) != false }
    guard !found.isEmpty else { return }
    Issue.record("Expected no \(found) in \(text.debugDescription)", sourceLocation: sourceLocation)
}

private func fail(_ actual: String, _ expected: String, _ context: String, _ sourceLocation: SourceLocation) {
    let place = context.isEmpty ? "" : " (\(context))"
    Issue.record("Expected \(expected), but got \(actual)\(place)", sourceLocation: sourceLocation)
}

/// Bytes that are a short text are shown as such, since Foundation describes only their number.
private func text(of value: some Any) -> String {
    guard let data = value as? Data, data.count < 1_000, let text = String(data: data, encoding: .utf8) else {
        return String(reflecting: value)
    }
    return "\(data.count) bytes \(text.debugDescription)"
}
