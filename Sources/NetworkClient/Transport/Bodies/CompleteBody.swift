import Foundation

/// A body that came as a whole, read as if it were a stream.
final class CompleteBody: BodyChannel {
    private let data: Locked<Data?>

    init(_ data: Data) {
        self.data = Locked(data.isEmpty ? nil : data)
    }

    func next() -> Data? {
        data.withLock { data in
            defer { data = nil }
            return data
        }
    }

    func cancel() {
        data.withLock { $0 = nil }
    }
}
