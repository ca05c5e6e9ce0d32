import Testing

/// Names the lines of the specification that a test proves; `scripts/check-spec` checks that every line has a test.
///
/// Each test target compiles this file, through a link, as it does ``LongComputationTrait``.
struct SpecTrait: TestTrait, SuiteTrait {
    private let lines: [Int]

    fileprivate init(lines: [Int]) {
        self.lines = lines
    }

    /// The text that is printed beside a failure.
    var comments: [Comment] {
        ["SPEC \(lines.map(String.init).joined(separator: ", "))"]
    }
}

extension Trait where Self == SpecTrait {
    static func spec(_ lines: Int...) -> Self {
        SpecTrait(lines: lines)
    }
}
