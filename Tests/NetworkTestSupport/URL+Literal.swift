package import Foundation

/// Creates the URL of a literal in a test.
package func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { fatalError("A test spells a URL wrong: \(text)") }
    return url
}
