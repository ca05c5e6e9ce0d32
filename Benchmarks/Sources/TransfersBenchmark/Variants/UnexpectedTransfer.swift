/// A transfer that did not come to what it is to come to.
struct UnexpectedTransfer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
