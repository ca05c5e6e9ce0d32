extension MediaType {
    /// `type/subtype` in lower case, without parameters.
    public var essence: String {
        withBytes { bytes in
            let scanner = MediaTypeScanner(bytes)
            let isBare = scanner.essence == bytes.indices && !bytes.contains { $0 >= 0x41 && $0 <= 0x5A }
            return isBare ? value : scanner.lowercased(scanner.essence)
        }
    }

    /// What stands before the slash, in lower case, such as `text`; `*` in a range of all types.
    public var type: String {
        let essence = essence
        return String(essence.prefix { $0 != "/" })
    }

    /// What stands after the slash, in lower case, such as `html`; empty if there is no slash.
    public var subtype: String {
        let essence = essence
        return String(essence.drop { $0 != "/" }.dropFirst())
    }

    /// The structured syntax of the bytes, which the subtype ends in (RFC 6838 §4.2.8); nil if it names none.
    ///
    /// `image/svg+xml` has the suffix `xml`.
    public var suffix: String? {
        let subtype = subtype.utf8
        guard let plus = subtype.lastIndex(of: UInt8(ascii: "+")), plus > subtype.startIndex else { return nil }
        let suffix = subtype[subtype.index(after: plus)...]
        return suffix.isEmpty ? nil : String(Substring(suffix))
    }

    /// Whether the bytes are JSON: `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839 §3.1).
    package var isJSON: Bool {
        let essence = essence
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether the bytes are form fields in one line.
    package var isForm: Bool {
        essence == "application/x-www-form-urlencoded"
    }

    /// The `charset` parameter in lower case.
    package var charset: String? {
        parameter("charset")?.lowercased()
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        var text = value
        return try text.withUTF8(body)
    }
}
