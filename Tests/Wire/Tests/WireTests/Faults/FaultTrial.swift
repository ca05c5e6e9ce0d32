import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// One cell of the fault matrix: a fault and a transport.
struct FaultTrial: Sendable, CustomTestStringConvertible {
    let transport: TransportUnderTest
    let fault: Fault
    /// One of these, usually one alone.
    let outcomes: Set<Outcome>
    /// The fields of the response that are compared.
    let headers: [String: String]
    let spoilsConnection: Bool

    var testDescription: String { "\(transport.testDescription), \(fault.name)" }

    /// Returns the trials of some faults, with the other outcome where a transport has a limitation.
    static func all(_ faults: [Fault]) -> [FaultTrial] {
        TransportUnderTest.all.flatMap { transport in
            faults.compactMap { fault in
                let instead = fault.exceptions.first { transport.has($0.key) }?.value
                var outcomes: Set = [fault.outcome]
                var (headers, spoils) = (fault.headers, fault.spoilsConnection)
                switch instead {
                case nil: break
                case .theEnd?: return nil
                case .outcome(.answered(let status, let body))?: (outcomes, spoils) = ([.answered(status, body)], false)
                case .outcome(let other)?: outcomes = [other]
                case .either(let other)?: outcomes.insert(other)
                case .sameConnection?: spoils = false
                case .headers(let others)?: headers = others
                }
                return FaultTrial(
                    transport: transport,
                    fault: fault,
                    outcomes: outcomes,
                    headers: headers,
                    spoilsConnection: spoils
                )
            }
        }
    }

    /// Returns a request for the fault.
    func request(to url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.method = fault.method
        return request
    }

    var options: CallOptions {
        CallOptions(acceptedStatuses: .all, idleTimeout: fault.timeout, bodyLimit: fault.bodyLimit)
    }
}
