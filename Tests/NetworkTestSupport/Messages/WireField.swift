/// One line of a header, spelled as it was received or is to be sent.
package struct WireField: Sendable, Equatable, CustomStringConvertible {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    package var description: String {
        "\(name): \(value)"
    }
}
