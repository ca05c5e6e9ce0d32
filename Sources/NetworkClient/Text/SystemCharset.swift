#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A charset that the system converts: with `iconv` of the C library on Linux, with Foundation on Apple platforms.
struct SystemCharset: Sendable {
    /// The names for `iconv_open`.
    ///
    /// The first known one is used, since glibc and musl differ.
    let names: [String]
    /// The number of a `CFStringEncoding`.
    let foundation: UInt32
    /// The standard's characters for single bytes that the system rejects.
    let additions: [UInt8: Unicode.Scalar]
    /// The standard's characters where the system has different ones.
    let replacements: [Unicode.Scalar: Unicode.Scalar]

    /// Reads the bytes up to the first invalid one; nil if the system does not support the charset, for example because
    /// its converters are not installed.
    func read(_ data: Data) -> Charset.Reading? {
        guard !data.isEmpty else { return Charset.Reading() }
        guard var reading = convert(data) else { return nil }
        if !replacements.isEmpty {
            let scalars = reading.text.unicodeScalars.map { replacements[$0] ?? $0 }
            reading.text = String(String.UnicodeScalarView(scalars))
        }
        return reading
    }
}

#if canImport(Glibc) || canImport(Musl) || canImport(Android)

extension SystemCharset {
    /// A converter to UTF-8, which is closed at the end of its lifetime.
    private struct Converter: ~Copyable {
        private let descriptor: iconv_t

        init?(_ names: [String]) {
            for name in names {
                // Returns -1, not nil, for an unknown name.
                if let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 {
                    self.descriptor = descriptor
                    return
                }
            }
            return nil
        }

        deinit {
            iconv_close(descriptor)
        }

        /// Converts bytes until they end or the buffer is full.
        ///
        /// - Returns: The numbers of bytes read and written, and 0 at the end of the bytes, otherwise `errno`.
        func convert(
            _ bytes: UnsafeRawBufferPointer,
            into buffer: UnsafeMutableRawBufferPointer
        ) -> (read: Int, written: Int, stop: CInt) {
            var source = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var target = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var (sourceCount, targetCount) = (bytes.count, buffer.count)
            let hasStopped = iconv(descriptor, &source, &sourceCount, &target, &targetCount) == -1
            let stop = hasStopped ? errno : 0
            return (bytes.count - sourceCount, buffer.count - targetCount, stop)
        }

        /// Writes the character that `iconv` held back because the next one could have been combined with it.
        func flush(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            var target = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var targetCount = buffer.count
            _ = iconv(descriptor, nil, nil, &target, &targetCount)
            return buffer.count - targetCount
        }
    }

    /// Returns how many of the bytes encode `beginning`, the first part of their text.
    func length(of beginning: String, in data: Data) -> Int {
        guard replacements.isEmpty else { return beginning.unicodeScalars.count }
        return convert(data, limit: beginning.utf8.count)?.count ?? 0
    }

    /// Converts bytes until the text has as many bytes as the limit.
    private func convert(_ data: Data, limit: Int = .max) -> Charset.Reading? {
        guard let converter = Converter(names) else { return nil }
        return data.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(byteCount: Self.portion, alignment: 1) { buffer in
                convert(bytes, limit: limit, with: converter, through: buffer)
            }
        }
    }

    private func convert(
        _ bytes: UnsafeRawBufferPointer,
        limit: Int,
        with converter: borrowing Converter,
        through buffer: UnsafeMutableRawBufferPointer
    ) -> Charset.Reading {
        var reading = Charset.Reading()
        var room = limit
        func take(_ count: Int) {
            reading.text += String(decoding: buffer[..<count], as: UTF8.self)
            room -= count
        }
        while room > 0 {
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(room, buffer.count)])
            let rest = UnsafeRawBufferPointer(rebasing: bytes[reading.count...])
            let (read, written, stop) = converter.convert(rest, into: target)
            reading.count += read
            take(written)
            if stop == E2BIG, read > 0 || written > 0 { continue }
            take(converter.flush(into: buffer))
            if stop == EILSEQ {
                let start = reading.count
                // Takes a whole run: one `iconv` call for each byte would be slow.
                while room > 0, reading.count < bytes.count, let scalar = additions[bytes[reading.count]] {
                    reading.text.unicodeScalars.append(scalar)
                    reading.count += 1
                    room -= UTF8.width(scalar)
                }
                if reading.count > start { continue }
            }
            reading.end = stop == 0 ? .complete : stop == EINVAL ? .cut : .invalid
            return reading
        }
        reading.end = reading.count == bytes.count ? .complete : .cut
        return reading
    }

    private static let portion = 1 << 14
}

#else

extension SystemCharset {
    private var encoding: String.Encoding? {
        guard CFStringIsEncodingAvailable(foundation) else { return nil }
        return String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(foundation))
    }

    /// Returns how many of the bytes encode `beginning`, the first part of their text.
    func length(of beginning: String, in data: Data) -> Int {
        guard replacements.isEmpty, let encoding else { return beginning.unicodeScalars.count }
        return beginning.data(using: encoding)?.count ?? beginning.unicodeScalars.count
    }

    private func convert(_ data: Data) -> Charset.Reading? {
        guard let encoding else { return nil }
        if let text = String(data: data, encoding: encoding) { return Charset.Reading(text: text, count: data.count) }
        if let text = textByBytes(of: data, encoding) { return Charset.Reading(text: text, count: data.count) }
        for count in 1...3 where count < data.count {
            if let text = String(data: data.dropLast(count), encoding: encoding) {
                return Charset.Reading(text: text, count: data.count - count, end: .cut)
            }
        }
        return Charset.Reading(end: .invalid)
    }

    /// Returns the text if every byte is a character, including the additions; nil otherwise.
    private func textByBytes(of data: Data, _ encoding: String.Encoding) -> String? {
        guard !additions.isEmpty else { return nil }
        var known: [UInt8: String] = [:]
        var text = ""
        for byte in data {
            let part = known[byte] ?? String(data: Data([byte]), encoding: encoding) ?? additions[byte].map(String.init)
            guard let part else { return nil }
            known[byte] = part
            text += part
        }
        return text
    }
}

#endif
