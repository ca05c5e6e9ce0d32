/// An error of the user's sequence, told apart from what was found wrong with it here.
package struct SequenceBodyFailure: Error {
    /// What the sequence threw.
    package let underlying: any Error
}
