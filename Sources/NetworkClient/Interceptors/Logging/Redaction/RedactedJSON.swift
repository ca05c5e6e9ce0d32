/// One pass over JSON that masks hidden values and, if it is for reading, gives each value a line.
///
/// Order, numbers and escapes stay as they came. There is no tree and no recursion, so that neither depth nor size of a
/// body costs more than what is shown of it, and no bytes can trap.
struct RedactedJSON {
    /// What was made of the part of the source that was read.
    struct Result {
        let text: [UInt8]
        let consumed: Int
    }

    enum Expectation {
        case value, element, firstElement, key, firstKey, separator, end
    }

    struct Container {
        let isObject: Bool
        let hidesElements: Bool
    }

    let source: [UInt8]
    let redaction: LogRedaction
    let isPretty: Bool
    /// How many strings within strings are still read as JSON of their own.
    private let layers: Int
    var position = 0
    var output: [UInt8] = []
    /// Whether the source ended within a value.
    var ranOut = false
    private var containers: [Container] = []
    /// Whether the value of the member whose name was read last is hidden.
    private var hidesMember: Bool

    private init(_ source: [UInt8], redaction: LogRedaction, isPretty: Bool, layers: Int) {
        self.source = source
        self.layers = layers
        self.redaction = redaction
        self.isPretty = isPretty
        hidesMember = redaction.hidesUnnamed
    }

    /// Masks JSON in UTF-8; nil if the bytes are none.
    ///
    /// Unless it is pretty, every byte that is not hidden stays. The result is cut at the limit. A source that has been
    /// cut may end anywhere.
    static func render(
        _ source: [UInt8],
        redaction: LogRedaction,
        isPretty: Bool,
        limit: Int = .max,
        isCut: Bool = false,
        layers: Int = 8
    ) -> Result? {
        var json = RedactedJSON(source, redaction: redaction, isPretty: isPretty, layers: layers)
        guard json.run(limit: limit, isCut: isCut) else { return nil }
        let text = BodyText.cut(json.output, at: limit)
        return Result(text: text, consumed: max(json.position - (json.output.count - text.count), 0))
    }

    private mutating func run(limit: Int, isCut: Bool) -> Bool {
        var expectation = Expectation.value
        while output.count <= limit {
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
            return value(byte, isHidden: hidesMember)
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
        guard let end = endOfString() else { return nil }
        hidesMember = redaction.hides(field: Self.unescaped(source[position + 1..<end - 1]))
        emitString(to: end)
        skipWhiteSpace()
        guard let colon = byte else {
            ranOut = true
            return nil
        }
        guard colon == UInt8(ascii: ":") else { return nil }
        emit(to: position + 1)
        if isPretty { output.append(0x20) }
        return .value
    }

    private mutating func value(_ byte: UInt8, isHidden: Bool) -> Expectation? {
        let isObject = byte == UInt8(ascii: "{")
        if isObject || byte == UInt8(ascii: "["), !isHidden || redaction.hidesUnnamed {
            containers.append(Container(isObject: isObject, hidesElements: isHidden))
            emit(to: position + 1)
            return isObject ? .firstKey : .firstElement
        }
        guard let end = endOfValue(byte) else { return nil }
        if isHidden {
            output += "\"\(LogRedaction.maskText)\"".utf8
            position = end
        } else if byte == UInt8(ascii: "\"") {
            emitString(to: end)
        } else {
            emit(to: end)
        }
        return afterValue
    }

    /// Copies a string, which may hold a URL, or JSON of its own, with a secret in it: then it is written anew.
    private mutating func emitString(to end: Int) {
        guard !redaction.showsEverything else { return emit(to: end) }
        let text = Self.unescaped(source[position + 1..<end - 1])
        let masked = redaction.maskedValue(text, layers: layers - 1)
        guard masked != text else { return emit(to: end) }
        output += Self.quoted(masked)
        position = end
    }

    private mutating func close(isEmpty: Bool) -> Expectation? {
        containers.removeLast()
        if !isEmpty { breakLine() }
        emit(to: position + 1)
        return afterValue
    }

    private var afterValue: Expectation {
        containers.isEmpty ? .end : .separator
    }

    private mutating func breakLine() {
        guard isPretty, !containers.isEmpty || !output.isEmpty else { return }
        output.append(0x0A)
        // Deeper than this, a level's indentation says nothing to a reader and costs more than its content.
        output += repeatElement(0x20, count: 2 * min(containers.count, 40))
    }
}
