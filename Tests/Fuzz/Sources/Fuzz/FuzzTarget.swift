import Foundation

/// A reader of what others write.
struct FuzzTarget: Sendable {
    let name: String
    /// Returns what is wrong with what was read from an input; nil if all properties hold.
    let fault: @Sendable ([UInt8]) -> String?

    static let all = [
        FuzzTarget(name: "json", fault: JSONFuzz.fault),
        FuzzTarget(name: "events", fault: StreamFuzz.eventFault),
        FuzzTarget(name: "lines", fault: StreamFuzz.lineFault),
        FuzzTarget(name: "websocket", fault: StreamFuzz.webSocketFault),
        FuzzTarget(name: "charsets", fault: StreamFuzz.charsetFault),
        FuzzTarget(name: "heads", fault: FieldFuzz.headFault),
        FuzzTarget(name: "cookies", fault: FieldFuzz.cookieFault),
        FuzzTarget(name: "links", fault: FieldFuzz.linkFault),
        FuzzTarget(name: "mediatypes", fault: FieldFuzz.mediaTypeFault),
        FuzzTarget(name: "delays", fault: FieldFuzz.delayFault),
        FuzzTarget(name: "cachecontrol", fault: CacheFuzz.controlFault),
        FuzzTarget(name: "freshness", fault: CacheFuzz.freshnessFault),
        FuzzTarget(name: "dates", fault: ValueFuzz.dateFault),
        FuzzTarget(name: "problems", fault: ValueFuzz.problemFault),
        FuzzTarget(name: "templates", fault: ValueFuzz.templateFault),
        FuzzTarget(name: "forms", fault: ValueFuzz.formFault),
        FuzzTarget(name: "archives", fault: ValueFuzz.archiveFault),
        FuzzTarget(name: "redaction", fault: ValueFuzz.redactionFault),
    ]

    #if COVERAGE_GUIDED
    /// The target of this process, whose arguments name one.
    static let current = all.first { CommandLine.arguments.contains($0.name) } ?? all[0]
    #endif

    /// Returns a text with the first difference of two lists; nil if they are equal.
    static func difference<Value: Equatable>(_ name: String, _ one: [Value], _ other: [Value]) -> String? {
        guard one != other else { return nil }
        let index = zip(one, other).prefix { $0 == $1 }.count
        let values = [one, other].map { index < $0.count ? "\($0[index])" : "the end" }
        return "\(name): at \(index) \(values[0]), and \(values[1])"
    }
}
