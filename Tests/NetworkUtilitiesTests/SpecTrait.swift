import Testing

/// Names the lines of the specification that a test proves; `scripts/check-spec` sees to it that every line has one.
///
/// Each test target has its own copy: a plain target that all of them share cannot import Testing in Xcode.
struct SpecTrait: TestTrait, SuiteTrait {
    let lines: [Int]

    /// What is printed beside a failure.
    var comments: [Comment] {
        ["SPEC \(lines.map(String.init).joined(separator: ", "))"]
    }
}

extension Trait where Self == SpecTrait {
    static func spec(_ lines: Int...) -> Self {
        SpecTrait(lines: lines)
    }
}
