/// The server was stopped before what a test waited for came.
package struct ServerStopped: Error, CustomStringConvertible {
    package let waitingFor: String

    package var description: String {
        "The server was stopped before \(waitingFor)."
    }
}
