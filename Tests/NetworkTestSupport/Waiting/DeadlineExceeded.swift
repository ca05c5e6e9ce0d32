/// An operation of a test that didn't end in time.
package struct DeadlineExceeded: Error, CustomStringConvertible {
    package let what: String
    package let seconds: Double
    package let place: String

    package var description: String {
        "Gave up on \(what) after \(seconds) s (\(place))."
    }
}
