import BenchmarkHarness
import BenchmarkServer
import Foundation

/// A running server with TLS, which counts for each variant what it does for it.
final class SecureServerProcess: Sendable {
    private let process: ServerProcess
    private let tallies = Locked<[String: SecureCounts]>([:])

    init(_ program: SecureServerProgram, protocols: [String]) throws {
        process = try ServerProcess(program.name, [program.certificate.path, program.key.path] + protocols)
    }

    var port: UInt16 { process.port }

    var identifier: Int32 { process.identifier }

    func stop() { process.stop() }

    /// Returns a variant that counts what the server does in its turns.
    ///
    /// A reading of the counts takes about 0.1 ms of a turn.
    func counting(_ variant: RequestVariant) -> RequestVariant {
        RequestVariant(
            variant.name,
            prepare: { [self] target in
                let load = try await variant.prepare(target)
                return RequestLoad(
                    run: { [self] deadline in
                        let before = try counts()
                        let latencies = try await load.run(deadline)
                        let change = try counts() - before
                        tallies.withLock { $0[variant.name] = ($0[variant.name] ?? SecureCounts()) + change }
                        return latencies
                    },
                    end: load.end
                )
            }
        )
    }

    /// Returns the counts of each variant since the last call.
    func takeTallies() -> [String: SecureCounts] {
        tallies.withLock { tallies in
            defer { tallies = [:] }
            return tallies
        }
    }

    private func counts() throws -> SecureCounts {
        let numbers = try process.ask("counts").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { throw UnexpectedResponse() }
        return SecureCounts(
            connections: numbers[0],
            requests1: numbers[1],
            requests2: numbers[2],
            processor: numbers[3]
        )
    }
}
