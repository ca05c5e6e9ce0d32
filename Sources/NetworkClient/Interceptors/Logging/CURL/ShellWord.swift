/// Text as one word of a POSIX shell, which takes it as it is.
enum ShellWord {
    /// The text in single quotes; a single quote within becomes `'\''`.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Bytes as a format of `printf`, in single quotes: what is no letter or digit is octal, so that no locale, option
    /// or quote has a say in it.
    static func format(_ bytes: some Sequence<UInt8>) -> String {
        var text = "'"
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
            }
        }
        return text + "'"
    }
}
