/// An encoder without output that detects values on which `JSONEncoder` crashes or writes invalid JSON.
///
/// These are values nested so deeply that encoding exhausts the stack, a `Decimal` that is not a number, and values
/// that ignore the error of a part that is a dictionary (swift-foundation issue 1852).
///
/// `JSONEncoder` has no depth limit, uses 1.3 to 1.7 KiB of stack for each level (Swift 6.3), and cannot be stopped.
/// Threads other than the main thread have 512 KiB on Apple platforms. The probe adds about 10 % to the encoding time.
struct JSONProbe: SlotEncoder {
    /// The maximum number of nested values: an object, an array and an optional in an array count as one each.
    static let greatestDepth = 128

    private let place: EncodingPlace<Void>
    private let finding: Finding
    let userInfo: [CodingUserInfoKey: Any]

    var codingPath: [any CodingKey] { place.keys }
    var elementCount: Int { 0 }

    /// The first error, kept here because a value may ignore the errors of its parts.
    private final class Finding {
        var error: BodyEncodingError?
        /// The place of the first dictionary in which an error was thrown.
        var failedDictionary: String?
    }

    /// Checks a value for what `JSONEncoder` doesn't detect.
    static func check(_ value: some Encodable, userInfo: [CodingUserInfoKey: Any]) throws(BodyEncodingError) {
        let finding = Finding()
        let probe = JSONProbe(place: .root(()), finding: finding, userInfo: userInfo)
        // An error that the value throws itself is thrown again when the value is encoded.
        let isThrown = (try? probe.visit(value)) == nil
        if let error = finding.error { throw error }
        #if compiler(<6.4)
        guard !isThrown, let place = finding.failedDictionary else { return }
        let reason = "throws an error that the value around it ignores, after which JSONEncoder writes wrong JSON"
        throw .json(path: place, reason: reason)
        #endif
    }

    func becomeObject() {}

    func becomeArray() {}

    func encodeNil(in slot: EncodingSlot) {}

    func encode(_ value: some Encodable, in slot: EncodingSlot) throws {
        let type = type(of: value)
        if !Self.isLeaf(type) || type == Decimal.self { try encoder(for: slot).visit(value) }
    }

    func encoder(for slot: EncodingSlot) -> JSONProbe {
        JSONProbe(place: place.part(slot.key), finding: finding, userInfo: userInfo)
    }

    private func visit(_ value: some Encodable) throws {
        try check(value)
        guard !Self.isLeaf(type(of: value)) else { return }
        do {
            try value.encode(to: self)
        } catch {
            noteFailure(of: value)
            throw error
        }
    }

    @inline(never)
    private func noteFailure(of value: some Encodable) {
        guard finding.failedDictionary == nil, type(of: value) is any StringDictionary.Type else { return }
        finding.failedDictionary = CodingPath(place.keys).description
    }

    /// Checks the value itself, without its parts.
    ///
    /// A separate function, because its frame is a fifth of the stack of a level: it is released before the parts of
    /// the value are visited.
    @inline(never)
    private func check(_ value: some Encodable) throws {
        if let error = finding.error { throw error }
        if place.depth > Self.greatestDepth { throw fail("is nested deeper than \(Self.greatestDepth) levels") }
        if type(of: value) == Decimal.self, let number = value as? Decimal, number.isNaN {
            throw fail("is a Decimal that is not a number")
        }
    }

    private func fail(_ reason: String) -> BodyEncodingError {
        let error = BodyEncodingError.json(path: CodingPath(place.keys).description, reason: reason)
        finding.error = error
        return error
    }

    /// Returns whether a value of this type contains no others.
    ///
    /// Numbers and strings must be listed: such a value passes itself to a single-value container, which would visit it
    /// again without end. Other types are listed because they are frequent; the bytes of `Data` would be visited one by
    /// one.
    private static func isLeaf(_ type: any Any.Type) -> Bool {
        if type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == Date.self
            || type == Data.self || type == UUID.self || type == URL.self || type == Decimal.self
            || type == [String].self || type == [Int].self || type == [Double].self || type == [UInt8].self
            || type == Int64.self || type == Int32.self || type == Int16.self || type == Int8.self
            || type == UInt.self || type == UInt64.self || type == UInt32.self || type == UInt16.self
            || type == UInt8.self || type == Float.self
        {
            return true
        }
        // These types are checked last, because on Apple platforms the availability check is a function call.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return type == Int128.self || type == UInt128.self
        }
        return false
    }
}

/// A dictionary that `JSONEncoder` encodes without a container.
private protocol StringDictionary {}

extension Dictionary: StringDictionary where Key == String, Value: Encodable {}
