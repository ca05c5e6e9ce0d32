@testable import NetworkClient

/// Compressed bodies as Python's `gzip` and `zlib` read them.
struct CompressionRoundTripTests {
    /// Reads records of three lengths and bytes: of the coding's name, the plain body and the compressed body.
    private static let script = """
        import gzip, json, sys, zlib
        data, position, found = sys.stdin.buffer.read(), 0, []
        def take(count):
            global position
            position += count
            return data[position - count:position]
        while position < len(data):
            lengths = [int.from_bytes(take(8), 'little') for _ in range(3)]
            name, plain, coded = [take(length) for length in lengths]
            decode = gzip.decompress if name == b'gzip' else zlib.decompress
            if decode(coded) == plain and (name != b'gzip' or coded[3:8] == bytes(5)):
                found.append(lengths[1])
        print(json.dumps(found))
        """

    private func compressed(_ body: Data, by interceptor: CompressionInterceptor) async throws -> Data? {
        var request = URLRequest(url: url("https://h/a"))
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let passed = Recorder<URLRequest>()
        _ = try await interceptor.process(request) { request in
            passed.record(request)
            return (Data(), HTTPURLResponse.made())
        }
        let sent = try #require(passed.values.first)
        return sent.value(forHTTPHeaderField: "Content-Encoding") == nil ? nil : sent.httpBody
    }

    private func bodies() -> [Data] {
        var numbers = SeededGenerator(seed: 256)
        let lengths = Array(stride(from: 0, through: 70_000, by: 1_399)) + [1, 2, 65_535, 65_536, 65_537, 131_072]
        return lengths.flatMap { length in
            let text = (0..<length).map { _ in Array("abc de\n".utf8).randomElement(using: &numbers) ?? 0 }
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            return [Data(text), Data(noise), Data(count: length)]
        }
    }

    @Test(.spec(256), .python, .longComputation, arguments: [RequestCoding.gzip, .deflate])
    func pythonReadsEveryCompressedBody(coding: RequestCoding) async throws {
        let interceptor = CompressionInterceptor.compression(coding, minimumLength: 1)
        var (input, expected) = (Data(), [Int]())
        for body in bodies() {
            guard let coded = try await compressed(body, by: interceptor) else { continue }
            #expect(coded.count < body.count)
            expect(try await compressed(body, by: interceptor), coded)
            let name = Data(coding.description.utf8)
            for part in [name, body, coded] { withUnsafeBytes(of: UInt64(part.count).littleEndian) { input += $0 } }
            input += name + body + coded
            expected.append(body.count)
        }
        #expect(expected.count > 100)
        expect(try Python.run(Self.script, input: input), expected)
    }

    /// Of 1 GiB, only a portion is in memory; the file has no name and is gone with the call.
    @Test(.spec(256), .longComputation) func aFileOfAGibibyteIsCompressedInConstantMemory() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let length = 1 << 30
        let file = try directory.sparseFile("zeros.txt", length: UInt64(length))
        let request = try URLRequest.put(url: url("https://h/a")).bodyFile(at: file).build()
        let before = try #require(ProcessFacts.now().residentBytes)
        let spooled = Recorder<String>()
        _ = try await CompressionInterceptor.compression().process(request) { request in
            expect(request.value(forHTTPHeaderField: "Content-Encoding"), "gzip")
            let source = try #require(request.bodySource)
            #expect(source.length < 2 << 20)
            // Other tests of the process use memory at the same time; a copy of the file would be all of its length.
            #expect(try #require(ProcessFacts.now().residentBytes) - before < length / 4 * 3)
            for file in try #require(ProcessFacts.openFiles()) where file.contains("NetworkClient-") {
                spooled.record(file)
            }
            return (Data(), HTTPURLResponse.made())
        }
        #expect(!spooled.values.isEmpty)
        // Other tests of the process have such files at the same time, which they close, too.
        while try #require(ProcessFacts.openFiles()).contains(where: spooled.values.contains) { await Task.yield() }
    }
}
