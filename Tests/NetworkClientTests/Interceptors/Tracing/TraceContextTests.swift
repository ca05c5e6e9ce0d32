import NetworkClient
import NetworkTestSupport
import Testing

struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"
    private static let valid = "00-\(trace)-\(span)-01"

    private static let zeros = "00-0000000000000000000000000000000a-0000000000000001-00"

    private static let invalid = [
        "", "00", "\(valid)-", "\(valid)-extra", "\(valid) ", " \(valid)", String(valid.dropLast()), "0\(valid)",
        "ff-\(trace)-\(span)-01", "FF-\(trace)-\(span)-01", "0g-\(trace)-\(span)-01", ".0-\(trace)-\(span)-01",
        "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span.uppercased())-01", "0A-\(trace)-\(span)-01",
        "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-\(String(repeating: "0", count: 16))-01",
        "00-\(trace)-\(span)-0x", "00-\(trace)-\(span)-1", "00_\(trace)-\(span)-01", "00-\(trace)_\(span)-01",
        "00-\(trace)-\(span)_01", "00-\(trace)-\(span)", "00-4bf92f3577b34da6-\(span)-01", "01-\(trace)-\(span)-01.",
        "cc-\(trace)-\(span)-01extra", "00-\(trace)-\(span)-é", "00-g\(trace.dropFirst())-\(span)-01",
        "00-\(trace)-g\(span.dropFirst())-01",
    ]

    /// Of a later version the first four parts are read, and reserved flags are dropped.
    private static let readable: [(String, String?)] = [
        (valid, valid), (zeros, zeros), ("01-\(trace)-\(span)-01", valid), ("cc-\(trace)-\(span)-01-what-else", valid),
        ("fe-\(trace)-\(span)-01-", valid), ("00-\(trace)-\(span)-02", "00-\(trace)-\(span)-00"),
        ("00-\(trace)-\(span)-03", valid), ("00-\(trace)-\(span)-fe", "00-\(trace)-\(span)-00"),
        ("00-\(trace)-\(span)-ff", valid),
    ]

    @Test(arguments: readable + invalid.map { ($0, nil) })
    func aValidTraceparentIsReadAndWrittenInTheFirstVersion(text: String, written: String?) {
        let context = TraceContext(traceparent: text)
        expectAll((context?.traceparent, context.map { "\($0)" }), (written, written))
        expect(context?.isSampled, written?.hasSuffix("1"))
        #expect(context?.tracestate.isEmpty != false)
        if written == nil { expect(TraceContext(traceparent: text, tracestate: ["a=1"]), nil) }
    }

    private static let validStates: [([String], String?)] = [
        (["a=1", "b=2"], "a=1,b=2"), (["a=1,b=2", "c=3"], "a=1,b=2,c=3"), ([" a=1 \t , \t b=2\t"], "a=1,b=2"),
        ([",a=1,,", "", " ", "b=2"], "a=1,b=2"), (["a= b c"], "a= b c"), (["a/_-*9=~!<"], "a/_-*9=~!<"),
        (["0t@sys=1"], "0t@sys=1"), (["\(String(repeating: "k", count: 256))=1"], nil),
        (["\(String(repeating: "k", count: 241))@\(String(repeating: "s", count: 14))=1"], nil),
        (["a=\(String(repeating: "v", count: 256))"], nil), ([], ""),
        ([(1...32).map { "k\($0)=\($0)" }.joined(separator: ",")], nil),
    ]

    private static let invalidMembers = [
        "a", "=1", "a=", "a=1=2", "A=1", "0=1", "a b=1", "a =1", "a.b=1", "@a=1", "a@=1", "a@b@c=1", "a@@b=1",
        "a@0=1", "a=é", "é=1", "a=\u{7F}", "a=\u{1}", "_a=1",
        "\(String(repeating: "k", count: 257))=1", "\(String(repeating: "k", count: 242))@s=1",
        "a@\(String(repeating: "s", count: 15))=1", "a=\(String(repeating: "v", count: 257))",
        (1...32).map { "k\($0)=\($0)" }.joined(separator: ","),
    ]

    @Test(arguments: validStates + invalidMembers.map { (["x=1", $0, "y=2"], "") })
    func aValidTracestateIsKeptAndAnInvalidOneDroppedAsAWhole(fields: [String], expected: String?) throws {
        let context = try #require(TraceContext(traceparent: Self.valid, tracestate: fields))
        expect(context.tracestate, expected ?? fields.joined(separator: ","))
        expect(context.traceparent, Self.valid)
    }

    @Test func aChildHasTheTraceAndANewSpanAndRootsAreRandomAndValid() throws {
        let parent = try #require(TraceContext(traceparent: Self.valid, tracestate: ["a=1"]))
        expectAll((parent.traceID, parent.parentID), (Self.trace, Self.span))
        let (one, other) = (parent.child(), parent.child())
        expectAll((one.traceID, one.isSampled, one.tracestate), (Self.trace, true, "a=1"))
        expect(Set([parent.parentID, one.parentID, other.parentID]).count, 3)
        let roots = (0..<100).map { TraceContext.root(isSampled: $0.isMultiple(of: 2)) }
        expect(Set(roots.map(\.traceID)).count, 100)
        expect(Set(roots.map(\.parentID)).count, 100)
        #expect(roots.allSatisfy { TraceContext(traceparent: $0.traceparent) == $0 })
        expect(roots.filter(\.isSampled).count, 50)
    }

    @Test func theCurrentContextIsThatOfTheTask() async {
        expect(TraceContext.current, nil)
        let context = TraceContext.root()
        await TraceContext.$current.withValue(context) {
            expect(TraceContext.current, context)
            expect(await Task { TraceContext.current }.value, context)
            expect(await Task.detached { TraceContext.current }.value, nil)
        }
    }
}
