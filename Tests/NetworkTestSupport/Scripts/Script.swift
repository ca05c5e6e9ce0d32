/// What the server does for one request, step by step.
///
/// ```swift
/// LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n12"), .wait(gate), .send("34")] }
/// ```
/// After the last step the connection stays open for the next request, unless the script closed it or the request
/// said `Connection: close`. A write that fails ends the connection and the script, steps that open a gate included.
package struct Script: Sendable, ExpressibleByArrayLiteral {
    package var steps: [Step]

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    package init(arrayLiteral elements: Step...) {
        steps = elements
    }

    /// The script with more steps after its own, as in `.json("{}").adding(.close)`.
    package func adding(_ more: Step...) -> Script {
        Script(steps + more)
    }
}
