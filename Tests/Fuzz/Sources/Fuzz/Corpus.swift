import Foundation

/// The kept inputs of a target: the lines of its file.
///
/// A backslash begins the escapes `\n`, `\r`, `\\` and `\xFF`.
struct Corpus {
    let inputs: [[UInt8]]

    init(of target: FuzzTarget) throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../Corpus/\(target.name).txt")
        inputs = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(Self.input)
    }

    static func line(_ input: [UInt8]) -> String {
        input.map { byte in
            switch byte {
            case 0x0A: "\\n"
            case 0x0D: "\\r"
            case 0x5C: "\\\\"
            case 0x20...0x7E: String(UnicodeScalar(byte))
            default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }

    private static func input(_ line: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(line.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x5C, let kind = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch kind {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "x"):
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: bytes.append(kind)
            }
        }
        return bytes
    }
}
