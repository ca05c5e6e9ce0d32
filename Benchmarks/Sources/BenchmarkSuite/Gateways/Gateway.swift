public import Foundation

/// A program that passes requests on to a server, and runs in a process of its own.
public struct Gateway: Sendable {
    /// Serves until the process ends.
    ///
    /// The parameters are the server's URL without a path, the number of connections that clients keep, and a closure
    /// to be called with the port of 127.0.0.1 at which the gateway listens.
    public typealias Serve = @Sendable (URL, _ connections: Int, @escaping @Sendable (Int) -> Void) async throws -> Void

    let name: String
    private let serve: Serve

    /// Creates a gateway from a closure that is one.
    public init(_ name: String, serve: @escaping Serve) {
        self.name = name
        self.serve = serve
    }

    /// Starts the process of the gateway.
    func start(server port: UInt16, connections: Int) throws -> ServerProcess {
        try ServerProcess([name, "http://127.0.0.1:\(port)", "\(connections)"], kind: Self.kind)
    }

    /// The first argument of a program that is to be a gateway.
    private static let kind = "--gateway"

    /// Is one of the gateways, if the arguments are those of one, and returns the status with which the process ends.
    ///
    /// The process prints its port, and ends at the end of its standard input.
    static func run(_ arguments: [String], of gateways: [Gateway]) async -> Int32? {
        guard arguments.count == 4, arguments[0] == kind, let connections = Int(arguments[3]),
            let gateway = gateways.first(where: { $0.name == arguments[1] }), let server = URL(string: arguments[2])
        else { return nil }
        signal(SIGPIPE, SIG_IGN)
        Thread.detachNewThread {
            while readLine() != nil {}
            exit(0)
        }
        do {
            try await gateway.serve(server, connections) { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
        } catch {
            FileHandle.standardError.write(Data("\(gateway.name): \(error)\n".utf8))
        }
        return 1
    }
}
