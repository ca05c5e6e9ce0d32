import Foundation
import NetworkUtilities
import Testing

/// Bodies that a user of the library writes, with no more than a user sees.
struct OwnBodiesTests {
    /// A file with every letter as a capital, made while it is read.
    private struct Capitals: RequestBody, BodySource {
        private let file: FileBodySource

        init(of url: URL) throws {
            file = try FileBodySource(url: url)
        }

        var mediaType: MediaType? { .plainText }
        var length: Int { file.length }
        func makeContent() -> RequestContent { .source(self) }
        func open() throws -> any BodyReader { Reader(try file.open()) }

        final class Reader: BodyReader {
            private let reader: any BodyReader

            init(_ reader: any BodyReader) {
                self.reader = reader
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                let count = try reader.read(into: buffer)
                for index in 0..<count where (0x61...0x7A).contains(buffer[index]) { buffer[index] &= 0xDF }
                return count
            }

            func close() {
                reader.close()
            }
        }
    }

    private let url = URL(fileURLWithPath: "/")

    private func file(_ text: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("own-body-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        return file
    }

    private func bytes(of stream: InputStream) -> Data {
        stream.open()
        defer { stream.close() }
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 7)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return result }
            result.append(contentsOf: buffer.prefix(count))
        }
    }

    @Test func aSourceMayWrapAFile() throws {
        let file = try file("hello, world")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = try Capitals(of: file)
        expect(body.makeContent().length, 12)
        let request = try URLRequest.post(url: url).body(body).build()
        expect(request.value(forHTTPHeaderField: "Content-Type"), "text/plain; charset=utf-8")
        for _ in 0..<2 {
            expect(bytes(of: try #require(request.httpBodyStream)), Data("HELLO, WORLD".utf8))
        }
    }

    @Test func aPartMayCarryIt() throws {
        let file = try file("hello")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = try Capitals(of: file)
        let form = try MultipartForm(boundary: try MultipartBoundary("B")) {
            try MultipartPart(name: "n", body: body, headers: [.custom(name: "Content-Language", value: "en")])
        }
        let request = URLRequest.post(url: url).bodyMultipart(form).build()
        let text = String(decoding: bytes(of: try #require(request.httpBodyStream)), as: UTF8.self)
        let head = "--B\r\nContent-Disposition: form-data; name=\"n\"\r\nContent-Type: text/plain; charset=utf-8\r\n"
        expect(text, head + "Content-Language: en\r\n\r\nHELLO\r\n--B--\r\n")
        expect(text.utf8.count, form.length)
    }

    @Test func contentTellsWhatItHolds() throws {
        let content = RequestContent.source(DataBodySource(Data([1, 2, 3])))
        let reader = try content.source.open()
        defer { reader.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { buffer.deallocate() }
        expect(try reader.read(into: buffer), 3)
        expect(Array(buffer.prefix(3)), [1, 2, 3])
        expect(try reader.read(into: buffer), 0)
    }
}
