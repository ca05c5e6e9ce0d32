/// Several sources, sent one after the other as one body.
struct ConcatenatedBodySource: BodySource {
    let length: Int
    private let sources: [any BodySource]

    init(_ sources: [any BodySource]) {
        self.sources = sources
        // Sparse files can together announce more bytes than an Int can count. Such a body can never be sent
        // completely, so the exact number does not matter; adding must only not trap.
        length = sources.reduce(0) { sum, source in
            let (total, overflow) = sum.addingReportingOverflow(source.length)
            return overflow ? .max : total
        }
    }

    func open() -> any BodyReader {
        Reader(sources)
    }

    /// One pass, which has at most one source open at a time.
    private final class Reader: BodyReader {
        private var waiting: ArraySlice<any BodySource>
        private var current: (any BodyReader)?

        init(_ sources: [any BodySource]) {
            waiting = sources[...]
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            var filled = 0
            while filled < buffer.count, let reader = try openReader() {
                let count = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                filled += count
                if count == 0 { closeReader() }
            }
            return filled
        }

        func close() {
            closeReader()
            waiting = []
        }

        private func openReader() throws -> (any BodyReader)? {
            if current == nil, let next = waiting.popFirst() {
                current = try next.open()
            }
            return current
        }

        private func closeReader() {
            current?.close()
            current = nil
        }
    }
}
