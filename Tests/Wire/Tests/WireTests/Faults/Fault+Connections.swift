import NetworkClient
import NetworkTestSupport

extension Fault {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
    private static let hold = Script.wait(Gate(), orPeerClose: true)

    /// Connections that end, or fall silent, at each point of a response.
    static let ofConnections = [
        Fault("reset before the head", [], then: [.reset], .failed(.connectionLost)),
        Fault("closed before the head", [], then: [.close], .failed(.connectionLost)),
        Fault("reset in the head", ["HTTP/1.1 200 OK\r\nContent-"], then: [.reset], .failed(.connectionLost)),
        Fault(
            "closed in the head",
            ["HTTP/1.1 200 OK\r\nX-A: 1\r\n"],
            then: [.close],
            .failed(.malformedResponse),
            except: [.crashesOnAPartialHead: .theEnd]
        ),
        Fault(
            "closed in a line of the head",
            ["HTTP/1.1 200 OK\r\nX-"],
            then: [.close],
            .failed(.malformedResponse),
            except: [.crashesOnAPartialHead: .theEnd]
        ),
        Fault(
            "closed in the head after an interim response",
            ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"],
            then: [.close],
            .failed(.malformedResponse),
            except: [.crashesOnAPartialHead: .theEnd]
        ),
        Fault(
            "closed after an interim response",
            ["HTTP/1.1 100 Continue\r\n\r\n"],
            then: [.close],
            .failed(.connectionLost),
            except: [.crashesOnAPartialHead: .theEnd]
        ),
        Fault("reset in the body", [head, "1234"], then: [.reset], .failed(.connectionLost)),
        Fault("closed in the body", [head, "1234"], then: [.close], .failed(.connectionLost)),
        Fault("silent before the head", [], then: [hold, .close], .failed(.timedOut), timeout: 0.1),
        // A URLSession that has not ended its transfer when the server stops crashes.
        Fault(
            "silent in the head",
            ["HTTP/1.1 200 OK\r\nX-"],
            then: [hold, .close],
            .failed(.timedOut),
            timeout: 0.1,
            except: [.crashesOnAPartialHead: .theEnd]
        ),
        Fault("silent in the body", [head, "1234"], then: [hold, .close], .failed(.timedOut), timeout: 0.1),
    ]
}
