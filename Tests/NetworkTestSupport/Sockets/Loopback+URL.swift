import Foundation

extension Loopback {
    func url(port: UInt16) throws -> URL {
        guard let url = URL(string: "http://\(host):\(port)") else { throw URLError(.badURL) }
        return url
    }
}
