package import Foundation

/// A URL that is spelled out in a test.
package func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { fatalError("A test spells a URL wrong: \(text)") }
    return url
}
