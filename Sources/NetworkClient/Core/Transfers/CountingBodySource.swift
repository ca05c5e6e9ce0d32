/// A request body that reports how many of its bytes were read, which is slightly more than were sent.
struct CountingBodySource: BodySource {
    private let source: any BodySource
    private let board: ProgressBoard
    private let moved: @Sendable () -> Void

    /// Returns a request whose body calls `moved` whenever bytes of it are read.
    ///
    /// A caller-provided `InputStream` is left unchanged: its length is unknown, and it can be read only once.
    static func counting(
        _ request: URLRequest,
        on board: ProgressBoard,
        moved: @escaping @Sendable () -> Void = {}
    ) -> URLRequest {
        var request = request
        let source: any BodySource
        switch request.httpBodyStream {
        case nil: source = DataBodySource(request.httpBody ?? Data())
        case let stream as BodyInputStream: source = stream.source
        case let stream as SequenceInputStream:
            board.begin(total: stream.body.length)
            let counted = stream.body.counted { count in
                board.advance(to: count)
                moved()
            }
            request.httpBodyStream = SequenceInputStream(body: counted)
            return request
        default:
            board.begin(total: nil)
            return request
        }
        board.begin(total: max(0, source.length))
        guard source.length > 0 else { return request }
        let counting = CountingBodySource(source: source, board: board, moved: moved)
        request.httpBodyStream = BodyInputStream(source: counting)
        return request
    }

    /// Returns a request whose body can be read without being counted.
    static func uncounted(_ request: URLRequest) -> URLRequest {
        let stream = request.httpBodyStream as? BodyInputStream
        guard let counting = stream?.source as? CountingBodySource else { return request }
        var request = request
        request.httpBodyStream = BodyInputStream(source: counting.source)
        return request
    }

    var length: Int { source.length }

    func open() throws -> any BodyReader { Reader(try source.open(), board, moved) }

    private final class Reader: BodyReader {
        private let reader: any BodyReader
        private let board: ProgressBoard
        private let moved: @Sendable () -> Void
        private var count = 0

        init(_ reader: any BodyReader, _ board: ProgressBoard, _ moved: @escaping @Sendable () -> Void) {
            self.reader = reader
            self.board = board
            self.moved = moved
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let read = try reader.read(into: buffer)
            count += read
            board.advance(to: count)
            moved()
            return read
        }

        func close() {
            reader.close()
        }
    }
}
