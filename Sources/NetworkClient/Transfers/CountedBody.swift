import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A body that says how much of it has been read, which is a little ahead of what has been sent.
struct CountedBody: BodySource {
    private let source: any BodySource
    private let board: ProgressBoard

    /// The request with such a body in place of its own.
    ///
    /// A stream of the user's own stays as it is: it has no length, and one reader.
    static func counting(_ request: URLRequest, on board: ProgressBoard) -> URLRequest {
        var request = request
        let source: any BodySource
        if let stream = request.httpBodyStream {
            if let stream = stream as? SequenceInputStream {
                board.begin(total: stream.body.length)
                request.httpBodyStream = SequenceInputStream(body: stream.body.counted { board.advance(to: $0) })
                return request
            }
            guard let stream = stream as? BodyInputStream else {
                board.begin(total: nil)
                return request
            }
            source = stream.source
        } else {
            source = DataBodySource(request.httpBody ?? Data())
        }
        board.begin(total: max(0, source.length))
        guard source.length > 0 else { return request }
        request.httpBodyStream = BodyInputStream(source: CountedBody(source: source, board: board))
        return request
    }

    var length: Int { source.length }

    func open() throws -> any BodyReader { Reader(try source.open(), board) }

    private final class Reader: BodyReader {
        private let reader: any BodyReader
        private let board: ProgressBoard
        private var count = 0

        init(_ reader: any BodyReader, _ board: ProgressBoard) {
            self.reader = reader
            self.board = board
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let read = try reader.read(into: buffer)
            count += read
            board.advance(to: count)
            return read
        }

        func close() {
            reader.close()
        }
    }
}
