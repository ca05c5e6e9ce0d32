// The unsafe code of the JSON decoder, with the reason why each piece is safe. All other files of the decoder use
// `RawSpan`, ``JSONSlots``, arrays and checked arithmetic.

/// The bytes of a JSON text, copied: the memory of a `Data` may only be read within a closure, and decoders that an
/// initialiser stores read the text later.
@safe final class JSONText {
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ data: Data) {
        unsafe buffer = .allocate(byteCount: data.count, alignment: 1)
        unsafe data.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
    }

    deinit {
        unsafe buffer.deallocate()
    }

    /// Calls a closure with the bytes, which the span can't outlive.
    @inline(__always)
    func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffer)))
    }
}

extension Data {
    /// Whether the first two bytes are ASCII characters, as in nearly all texts.
    ///
    /// The bytes are read by checked subscripts; those of `Data` take a hundred times as long.
    var beginsWithASCII: Bool {
        unsafe withUnsafeBytes { unsafe $0.count > 1 && (1..<0x80).contains($0[0]) && (1..<0x80).contains($0[1]) }
    }
}

extension RawSpan {
    // The loads are unchecked because the line before each of them checks the bounds, once; the functions of `RawSpan`
    // would check twice. Every bit pattern is a valid integer.

    /// Returns the byte at an offset, or nil at the end.
    @inline(__always)
    func byte(at offset: Int) -> UInt8? {
        guard UInt(bitPattern: offset) < UInt(bitPattern: byteCount) else { return nil }
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Returns the eight bytes from an offset on as an integer, the first one in the lowest bits, or nil if there are
    /// fewer.
    @inline(__always)
    func word(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= byteCount &- 8 else { return nil }
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Returns the four bytes from an offset on as an integer, the first one in the lowest bits, or nil if there are
    /// fewer.
    @inline(__always)
    func halfWord(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= byteCount &- 4 else { return nil }
        return unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    /// Returns the text of UTF-8 bytes; nil if they are not UTF-8.
    ///
    /// `String` replaces bytes that are not UTF-8, so the text then differs from the bytes. `String(validating:as:)` is
    /// slower, and needs macOS 15.
    func text(in range: Range<Int>) -> String? {
        let text = utf8(in: range)
        return text.withUTF8Span { $0.byteCount == range.count && contains($0, at: range.lowerBound) } ? text : nil
    }

    /// Returns the text of bytes; like `String(decoding:as:)`, replaces bytes that are not UTF-8.
    ///
    /// The buffer is within bounds that `extracting` has checked, and `String` copies it before the closure returns.
    @inline(__always)
    func utf8(in range: Range<Int>) -> String {
        unsafe extracting(range).withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A copy of a range of bytes.
    func data(in range: Range<Int>) -> Data { unsafe extracting(range).withUnsafeBytes { unsafe Data($0) } }

    /// Appends a range of bytes to an array, which copies them from a buffer within checked bounds.
    @inline(__always)
    func append(_ range: Range<Int>, to array: inout [UInt8]) {
        unsafe extracting(range).withUnsafeBytes { unsafe array.append(contentsOf: $0) }
    }
}

/// The elements of an array that is being filled; each access checks the index.
///
/// `MutableSpan` is not used: on Apple platforms before 26, a program with it needs a library that it has to bring
/// along, and can't start without. `RawSpan` is compiled into its users completely.
@safe struct JSONSlots {
    fileprivate let buffer: UnsafeMutableBufferPointer<UInt64>

    var count: Int { unsafe buffer.count }

    @inline(__always)
    subscript(index: Int) -> UInt64 {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe buffer[index]
        }
        nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            unsafe buffer[index] = newValue
        }
    }
}

extension [UInt64] {
    /// Calls a closure with the elements; the slots are only used by ``JSONScanner``, which doesn't keep them.
    @inline(__always)
    mutating func withSlots(_ body: (JSONSlots) throws(JSONSyntaxError) -> Bool) throws(JSONSyntaxError) -> Bool {
        try unsafe withUnsafeMutableBufferPointer { buffer throws(JSONSyntaxError) in
            try unsafe body(JSONSlots(buffer: buffer))
        }
    }
}

extension String {
    /// Calls a closure with the bytes of the string in UTF-8.
    ///
    /// The span can't outlive the closure, and the buffer outlives the closure.
    @inline(__always)
    func withUTF8Span<Result>(_ body: (RawSpan) -> Result) -> Result {
        let result = unsafe utf8.withContiguousStorageIfAvailable {
            unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0)))
        }
        if let result { return result }
        // The string is an Objective-C object.
        var copy = self
        return copy.withUTF8 { unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
    }
}

extension [UInt8] {
    /// Calls a closure with the bytes, which the span can't outlive; a replacement for `span.bytes` on older systems.
    @inline(__always)
    func withUTF8Span<Result>(_ body: (RawSpan) -> Result) -> Result {
        unsafe withUnsafeBytes { unsafe body(RawSpan(_unsafeBytes: $0)) }
    }
}

/// Returns a value as a type that is known to be the same at run time.
///
/// The types are compared, so the cast is from a type to itself.
@inline(__always)
func identical<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
    precondition(Value.self == Same.self)
    return unsafe unsafeBitCast(value, to: Same.self)
}
