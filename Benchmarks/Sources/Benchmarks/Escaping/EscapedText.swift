import Foundation

/// A text to be escaped, and which of its bytes need it.
enum EscapedText: String, CaseIterable, Sendable {
    /// ASCII of which every byte stays as it is.
    case bare

    /// ASCII of which every tenth byte is reserved.
    case mixed

    /// Greek letters, every byte of which is escaped.
    case greek

    /// What stays bare in a form (WHATWG URL), for Foundation's function, which knows no such set.
    static let bareInForms = CharacterSet(
        charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-._"
    )

    /// The text, as long as it is wanted.
    ///
    /// - Parameter bytes: A multiple of 10, so that no letter is cut.
    /// - Returns: A text of so many bytes of UTF-8.
    func text(bytes: Int) -> String {
        let pattern =
            switch self {
            case .bare: "abcdeFGH19"
            case .mixed: "abcde&GH19"
            case .greek: "Αθήνα"
            }
        return String(repeating: pattern, count: bytes / 10)
    }
}
