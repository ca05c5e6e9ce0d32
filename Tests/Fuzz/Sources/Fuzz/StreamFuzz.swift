import Foundation

@testable import NetworkClient

/// Streams that arrive in chunks: what is read does not depend on where they are cut.
enum StreamFuzz {
    /// Cuts the bytes after the first two, which are the seed of the cuts.
    private static func chunks(_ input: [UInt8]) -> (whole: Data, cut: [Data]) {
        var random = SeededGenerator(seed: input.prefix(2).reduce(0) { $0 << 8 | UInt64($1) })
        let whole = Data(input.dropFirst(2))
        var (rest, cut) = (whole[...], [Data]())
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(9, rest.count), using: &random)
            cut.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return (whole, cut)
    }

    static func eventFault(_ input: [UInt8]) -> String? {
        func parts(_ chunks: [Data], limit: Int, keepsComments: Bool) -> [String] {
            var parser = EventParser(after: "0", limit: limit, keepsComments: keepsComments)
            var parts: [String] = []
            do {
                for chunk in chunks {
                    parser.append(chunk)
                    while let part = try parser.next() { parts.append("\(part)") }
                }
            } catch {
                parts.append("\(error)")
            }
            return parts
        }
        let (whole, cut) = chunks(input)
        let bytes = whole.map { Data([$0]) }
        for limit in [20, 1 << 20] {
            for keepsComments in [false, true] {
                let expected = parts([whole], limit: limit, keepsComments: keepsComments)
                // With a limit, an event may pass while it is read at once, and fail while it arrives.
                guard limit > 20 else {
                    _ = parts(cut, limit: limit, keepsComments: keepsComments)
                    continue
                }
                for chunks in [cut, bytes] {
                    let actual = parts(chunks, limit: limit, keepsComments: keepsComments)
                    if let fault = FuzzTarget.difference("cut", expected, actual) { return fault }
                }
            }
        }
        return nil
    }

    static func webSocketFault(_ input: [UInt8]) -> String? {
        func parts(_ chunks: [Data], limit: Int) -> [String] {
            var reader = WebSocketReader(messageLimit: limit)
            var parts: [String] = []
            do {
                for chunk in chunks { try chunk.withUnsafeBytes { try reader.read($0) { parts.append("\($0)") } } }
            } catch {
                parts.append("\(error)")
            }
            return parts
        }
        let (whole, cut) = chunks(input)
        for limit in [20, 1 << 20] {
            let expected = parts([whole], limit: limit)
            for chunks in [cut, whole.map { Data([$0]) }] {
                if let fault = FuzzTarget.difference("cut", expected, parts(chunks, limit: limit)) { return fault }
            }
        }
        return nil
    }

    static func lineFault(_ input: [UInt8]) -> String? {
        func lines(_ chunks: [Data], endsAtCR: Bool) -> [[UInt8]] {
            var splitter = LineSplitter(endsAtCR: endsAtCR)
            var lines: [[UInt8]] = []
            for chunk in chunks {
                splitter.append(chunk)
                while let line = splitter.next({ Array($0) }) { lines.append(line) }
            }
            if let last = splitter.end({ Array($0) }) { lines.append(last) }
            return lines
        }
        let (whole, cut) = chunks(input)
        for endsAtCR in [false, true] {
            let expected = lines([whole], endsAtCR: endsAtCR)
            for chunks in [cut, whole.map { Data([$0]) }] {
                let actual = lines(chunks, endsAtCR: endsAtCR)
                if let fault = FuzzTarget.difference("cut", expected, actual) { return fault }
            }
        }
        return nil
    }

    /// The first byte chooses the charset, the second one the place of a cut.
    static func charsetFault(_ input: [UInt8]) -> String? {
        guard input.count > 2 else { return nil }
        let charset = Charset.all[Int(input[0]) % Charset.all.count]
        let data = Data(input.dropFirst(2))
        guard let text = try? charset.text(of: data) else { return nil }
        let (marked, markLength) = charset.marked(by: data)
        let body = data.dropFirst(markLength)
        guard let whole = try? marked.read(body), whole.text == text else {
            return "\(charset.name): not the same text"
        }
        guard whole.count == body.count else { return "\(charset.name): \(whole.count) of \(body.count) bytes" }
        // A cut text in UTF-8 is invalid, since logs keep its bytes.
        guard !["utf-8", "replacement"].contains(marked.name) else {
            return Data(text.utf8) == body ? nil : "\(charset.name) has changed"
        }
        let beginning = body.prefix(Int(input[1]) % (body.count + 1))
        guard let part = try? marked.read(beginning) else { return "\(charset.name): no part" }
        if case .invalid = part.end { return "\(charset.name): the first \(beginning.count) bytes are invalid" }
        guard part.count <= beginning.count else { return "\(charset.name): a part of \(part.count) bytes" }
        return nil
    }
}
