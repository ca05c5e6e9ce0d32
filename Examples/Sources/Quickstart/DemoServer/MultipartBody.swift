import Foundation

/// The parts of a `multipart/form-data` body, parsed as far as the tour needs it.
struct MultipartBody {
    /// One field or file.
    struct Part {
        let head: String
        let bytes: Data

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Returns the value of a quoted parameter of `Content-Disposition`, such as `filename`.
        func parameter(_ name: String) -> String? {
            guard let start = head.range(of: " \(name)=\"")?.upperBound else { return nil }
            return String(head[start...].prefix { $0 != "\"" })
        }

        /// Returns the value of a header field.
        func field(_ name: String) -> String? {
            let line = head.components(separatedBy: "\r\n").first { $0.hasPrefix("\(name): ") }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    let parts: [Part]

    /// Parses a body; nil if the media type has no boundary.
    init?(_ data: Data, contentType: String) {
        guard let start = contentType.range(of: "boundary=")?.upperBound else { return nil }
        let boundary = contentType[start...].trimmingCharacters(in: ["\""])
        // A line break in front makes the first delimiter equal to the others.
        let pieces = (Data("\r\n".utf8) + data).split(at: Data("\r\n--\(boundary)".utf8))
        parts = pieces.dropFirst().dropLast().compactMap(Self.part)
    }

    /// The part of the given name.
    subscript(name: String) -> Part? { parts.first { $0.parameter("name") == name } }

    private static func part(_ piece: Data) -> Part? {
        guard let gap = piece.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: piece[..<gap.lowerBound], as: UTF8.self)
        return Part(head: head, bytes: piece[gap.upperBound...])
    }
}

extension Data {
    /// Returns the pieces between the occurrences of the delimiter.
    fileprivate func split(at delimiter: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = self[...]
        while let found = rest.range(of: delimiter) {
            pieces.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return pieces + [rest]
    }
}

/// The fields of an `application/x-www-form-urlencoded` body.
struct FormBody {
    private let fields: [String: String]

    init(_ data: Data) {
        let pairs = String(decoding: data, as: UTF8.self).split(separator: "&")
        fields = pairs.reduce(into: [:]) { fields, pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[Self.decoded(halves[0])] = halves.count > 1 ? Self.decoded(halves[1]) : ""
        }
    }

    subscript(name: String) -> String? { fields[name] }

    private static func decoded(_ text: Substring) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
