/// An operation of a test that was not over in time.
package struct DeadlineExceeded: Error, CustomStringConvertible {
    package let what: String
    package let seconds: Double
    package let place: String

    package var description: String {
        "Gave up on \(what) after \(seconds) s (\(place))."
    }
}
