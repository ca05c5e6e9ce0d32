import Foundation
import NetworkUtilities

/// A stream of the user's own whose length the request states; sent as long as that, or not at all.
struct OneShotBody: BodySource {
    let length: Int
    private let reader: Locked<OneShotReader?>

    init(_ stream: sending InputStream, length: Int) {
        self.length = length
        reader = Locked(OneShotReader(stream, length: length))
    }

    func open() throws -> any BodyReader {
        let reader: OneShotReader? = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        guard let reader else { throw TransportError(.bodyNotReplayable) }
        reader.open()
        return reader
    }
}
