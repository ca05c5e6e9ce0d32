import NetworkTestSupport
import Testing

/// A point of the life of a call of one of the clients.
struct CancellationMoment: Sendable, CustomTestStringConvertible {
    enum Point: CaseIterable {
        case beforeTheCall
        case whileAnInterceptorWaits
        case whileWaitingForAConnection
        case whileConnecting
        case beforeTheHead
        case insideTheHead
        case insideTheBody
        case whileSending
        case betweenRedirects
        case whileTheMapperRuns
    }

    let transport: TransportUnderTest
    let point: Point
    /// A prompt client has no interceptor and no mapper of the test's, so its calls run in the caller's task.
    let isPrompt: Bool

    var testDescription: String {
        "\(transport.testDescription), \(point)\(isPrompt ? ", prompt" : "")"
    }

    static let all = TransportUnderTest.all.flatMap { transport in
        Point.allCases.flatMap { point in
            [true, false].map { CancellationMoment(transport: transport, point: point, isPrompt: $0) }
        }
    }.filter(\.makesSense)

    /// Custom code may wait for as long as it likes.
    private var makesSense: Bool {
        switch point {
        case .whileAnInterceptorWaits, .whileTheMapperRuns: !isPrompt
        case .whileConnecting: UnansweringPort.isAvailable
        default: true
        }
    }
}
