/// One thing that the server does for a request; a ``Script`` is a list of them.
package enum Step: Sendable {
    /// Bytes as they are. Those of consecutive steps go out in one write.
    case bytes([UInt8])
    /// A whole response, of which a HEAD request gets only the head.
    case response(ScriptedResponse)
    /// The same bytes many times over, without holding them all.
    case repeated([UInt8], count: Int)
    /// Holds until the gate opens or, if wished, the peer closes, whichever comes first.
    case wait(Gate, orPeerClose: Bool = false)
    /// Tells the test that the script has come this far. Everything before has been handed to the system.
    case open(Gate)
    /// Reads and drops what comes until the peer has closed or reset its connection, then opens the gate.
    case awaitPeerClose(then: Gate? = nil)
    /// Closes; the system makes it a reset if the peer sent something that was not read.
    case close
    /// Ends the server's direction only; the connection is closed after the last step.
    case closeWrite
    /// Closes with a reset, which may overtake bytes that the peer has not read yet.
    case reset

    package static func send(_ bytes: some WireBytes) -> Step {
        .bytes(bytes.wireBytes)
    }

    package static func `repeat`(_ bytes: some WireBytes, count: Int) -> Step {
        .repeated(bytes.wireBytes, count: count)
    }
}
