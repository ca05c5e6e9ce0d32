/// A single pass over JSON that masks hidden values and optionally puts each value on its own line.
///
/// Order, numbers and escapes are preserved. There is no tree and no recursion, so that the cost depends only on the
/// part that is shown, not on the depth or size of the body, and no input can trap.
struct RedactedJSON {
    /// The output for the part of the source that was read.
    struct Result {
        let text: [UInt8]
        /// The position in the source after that part.
        let consumed: Int
        /// Whether the source has no error, as far as it was read; otherwise, it was read to the error.
        let isValid: Bool
    }

    private enum Expectation {
        case value, element, firstElement, key, firstKey, separator, end
    }

    /// The role of a member in an entry such as `{"name": "pin", "value": 1}`.
    private enum Member {
        case name, value, other
    }

    private struct Container {
        let isObject: Bool
        let hidesElements: Bool
        /// The start of the container in the output if it is the value of an entry; nil otherwise.
        let valueStart: Int?
        /// Whether the object is an entry whose value is hidden; nil before its name.
        var hidesEntry: Bool?
        /// The parts of the output that are values of the entry and have to be hidden if its name is secret.
        var entryValues: [Range<Int>] = []
    }

    private let source: [UInt8]
    private let redaction: LogRedaction
    private let isPretty: Bool
    /// The number of nested strings that may still be read as JSON.
    private let layers: Int
    private var position = 0
    private var output: [UInt8] = []
    /// The parts of the output that a mask replaces.
    ///
    /// They are replaced at the end and all at once, since each replacement moves the output after it.
    private var hiddenValues: [Range<Int>] = []
    /// The number of bytes that these replacements remove; more if a hidden value contains others.
    private var hiddenLength = 0
    /// Whether the source ended within a value.
    private var ranOut = false
    private var containers: [Container] = []
    private var member = Member.other
    /// Whether the value of the member whose name was read last is hidden, and whether it is as a number.
    private var hides = (member: false, number: false)

    /// Masks JSON in UTF-8; nil if there is no object, array or other value, or if text follows it.
    ///
    /// An object or array with an error is masked up to the error. Unless it is pretty-printed, the result preserves
    /// every byte that is not hidden. The limit is its length in bytes. A truncated source may end anywhere.
    static func render(
        _ source: [UInt8],
        redaction: LogRedaction,
        isPretty: Bool,
        limit: Int = .max,
        isCut: Bool = false
    ) -> Result? {
        var json = RedactedJSON(source: source, redaction: redaction, isPretty: isPretty, layers: 8)
        return json.result(isValid: json.run(limit: limit, isCut: isCut), limit: limit)
    }

    /// Masks the value that begins at a position of a text.
    static func part(of text: [UInt8], from start: Int, redaction: LogRedaction, layers: Int) -> Result? {
        var json = RedactedJSON(source: text, redaction: redaction, isPretty: false, layers: layers, position: start)
        return json.result(isValid: json.run(limit: .max, isPart: true), limit: .max)
    }

    private mutating func result(isValid: Bool, limit: Int) -> Result? {
        guard isValid || !containers.isEmpty else { return nil }
        hideUnfinishedEntries()
        let output = maskedOutput
        let text = BodyText.cut(output, at: limit)
        return Result(text: text, consumed: max(position - (output.count - text.count), 0), isValid: isValid)
    }

    /// Masks the source up to its end, to the limit, or to an error; returns whether there was none.
    private mutating func run(limit: Int, isCut: Bool = false, isPart: Bool = false) -> Bool {
        hides = (redaction.hidesUnnamed, redaction.hidesUnnamed)
        var expectation = Expectation.value
        while output.count - hiddenLength <= limit, !isPart || expectation != .end {
            skipWhiteSpace()
            guard let byte = byte else { return isCut || expectation == .end }
            guard let next = step(expectation, byte) else { return isCut && ranOut }
            expectation = next
        }
        return true
    }

    private mutating func step(_ expectation: Expectation, _ byte: UInt8) -> Expectation? {
        switch expectation {
        case .firstElement where byte == UInt8(ascii: "]"), .firstKey where byte == UInt8(ascii: "}"):
            return close(isEmpty: true)
        case .value:
            return value(byte, isHidden: ASCII.isDigit(byte) ? hides.number : hides.member)
        case .element, .firstElement:
            breakLine()
            return value(byte, isHidden: containers.last?.hidesElements ?? false)
        case .key, .firstKey:
            breakLine()
            return key()
        case .separator:
            guard let container = containers.last else { return nil }
            if byte == UInt8(ascii: ",") {
                emit(to: position + 1)
                return container.isObject ? .key : .element
            }
            return byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) ? close(isEmpty: false) : nil
        case .end:
            return nil
        }
    }

    private mutating func key() -> Expectation? {
        guard let end = endOfString(from: position) else { return nil }
        let name = JSONString.unescaped(source[position + 1..<end - 1])
        switch name.utf8.count <= 5 ? SensitiveNames.key(name) : "" {
        case "name", "key": member = .name
        case "value": member = .value
        default: member = .other
        }
        let isEntry = member == .value && containers.last?.hidesEntry == true
        hides = redaction.hides(name) ? (true, isEntry || redaction.hides(number: name)) : (isEntry, isEntry)
        emitString(to: end)
        skipWhiteSpace()
        ranOut = byte == nil
        guard byte == UInt8(ascii: ":") else { return nil }
        emit(to: position + 1)
        if isPretty { output.append(0x20) }
        return .value
    }

    private mutating func value(_ byte: UInt8, isHidden: Bool) -> Expectation? {
        let (isObject, isString) = (byte == UInt8(ascii: "{"), byte == UInt8(ascii: "\""))
        let isContainer = isObject || byte == UInt8(ascii: "[")
        let member = containers.last?.isObject == true ? member : .other
        let valueStart = member == .value && !isHidden && redaction.hidesEntries ? output.count : nil
        if isContainer, !isHidden || redaction.hidesUnnamed {
            containers.append(Container(isObject: isObject, hidesElements: isHidden, valueStart: valueStart))
            emit(to: position + 1)
            return isObject ? .firstKey : .firstElement
        }
        guard let end = isString ? endOfString(from: position) : isContainer ? endOfContainer() : endOfLiteral() else {
            return nil
        }
        if member == .name, isString { beginEntry(JSONString.unescaped(source[position + 1..<end - 1])) }
        if isHidden {
            output += Self.mask
            position = end
        } else if isString {
            emitString(to: end)
        } else {
            emit(to: end)
        }
        if let valueStart { addEntryValue(from: valueStart) }
        return afterValue
    }

    private mutating func beginEntry(_ name: String) {
        let last = containers.count - 1
        let isHidden = containers[last].hidesEntry == true || redaction.hidesEntries && redaction.hides(name)
        containers[last].hidesEntry = isHidden
        guard isHidden else { return }
        for value in containers[last].entryValues { hide(value) }
        containers[last].entryValues = []
    }

    /// Stores the output from `start` on as a value of the innermost object, whose name may follow.
    private mutating func addEntryValue(from start: Int) {
        containers[containers.count - 1].entryValues.append(start..<output.count)
    }

    private mutating func hide(_ value: Range<Int>) {
        hiddenValues.append(value)
        hiddenLength = min(hiddenLength + max(0, value.count - Self.mask.count), output.count)
    }

    /// Hides values whose names may be in the part that was not read.
    private mutating func hideUnfinishedEntries() {
        for (index, container) in containers.enumerated() where container.hidesEntry == nil {
            for value in container.entryValues { hide(value) }
            if let start = containers.dropFirst(index + 1).first?.valueStart { hide(start..<output.count) }
        }
    }

    /// The output with a mask in place of each hidden value.
    private var maskedOutput: [UInt8] {
        var masked: [UInt8] = []
        var end = 0
        // A hidden value may contain other ones, which begin inside it and are skipped.
        for value in hiddenValues.sorted(by: { $0.lowerBound < $1.lowerBound }) where value.lowerBound >= end {
            masked += output[end..<value.lowerBound]
            masked += Self.mask
            end = value.upperBound
        }
        return end == 0 ? output : masked + output[end...]
    }

    /// Copies a string; rewrites it if it contains a URL or JSON with a secret.
    private mutating func emitString(to end: Int) {
        guard !redaction.showsEverything else { return emit(to: end) }
        let text = JSONString.unescaped(source[position + 1..<end - 1])
        let masked = redaction.maskedText(text, layers: layers - 1)
        guard masked != text else { return emit(to: end) }
        output += JSONString.quoted(masked)
        position = end
    }

    private mutating func close(isEmpty: Bool) -> Expectation? {
        let valueStart = containers.removeLast().valueStart
        if !isEmpty { breakLine() }
        emit(to: position + 1)
        if let valueStart { addEntryValue(from: valueStart) }
        return afterValue
    }

    private var afterValue: Expectation { containers.isEmpty ? .end : .separator }

    private mutating func breakLine() {
        guard isPretty, !containers.isEmpty || !output.isEmpty else { return }
        output.append(0x0A)
        // Deeper indentation doesn't help a reader, and takes more bytes than the content.
        output += repeatElement(0x20, count: 2 * min(containers.count, 40))
    }

    private static let mask = Array("\"\(LogRedaction.maskText)\"".utf8)
}

// MARK: - Scanning

extension RedactedJSON {
    private var byte: UInt8? { position < source.count ? source[position] : nil }

    private mutating func emit(to end: Int) {
        output += source[position..<end]
        position = end
    }

    private mutating func skipWhiteSpace() {
        let end = source[position...].firstIndex { !TextMask.whiteSpace.contains($0) } ?? source.count
        if isPretty { position = end } else { emit(to: end) }
    }

    private mutating func endOfString(from start: Int) -> Int? {
        guard start < source.count, source[start] == UInt8(ascii: "\"") else { return nil }
        var index = start + 1
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            case 0..<0x20: return nil
            default: index += 1
            }
        }
        ranOut = true
        return nil
    }

    /// Returns the end of a number, `true`, `false` or `null`.
    private mutating func endOfLiteral() -> Int? {
        let end =
            source[position...].firstIndex { !ASCII.isLetter($0) && !ASCII.isDigit($0) && !"-+.".utf8.contains($0) }
            ?? source.count
        let literal = source[position..<end]
        // Some encoders write the last two.
        let isWord = ["true", "false", "null", "NaN", "Infinity"].contains { literal.elementsEqual($0.utf8) }
        let isNumber = literal.first.map { $0 == UInt8(ascii: "-") || ASCII.isDigit($0) } ?? false
        ranOut = end == source.count
        return isWord || isNumber ? end : nil
    }

    /// Returns the end of a hidden object or array.
    ///
    /// Its content is not validated beyond strings and brackets.
    private mutating func endOfContainer() -> Int? {
        var depth = 0
        var index = position
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(from: index) else { return nil }
                index = end - 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return index }
        }
        ranOut = true
        return nil
    }
}
