import Foundation

@testable import NetworkClient
@testable import NetworkUtilities

/// The fields that tell a cache what to do with a response.
enum CacheFuzz {
    private static let sent = Date(timeIntervalSince1970: 1_700_000_000)

    /// What is added to a line, and what is added as a line, which must never make a response more reusable; a quote
    /// in the same line may be the end of a quoted string.
    private static let additions = ["", ",", "x", "=", "public=x", "immutable=", "max-age=x", "\\", "\u{0}", ";"]
    private static let lines = additions + ["\"", "\"\"", "x=\"", "x=\"\\", "x=\"no-store"]

    /// The input is a value of `Cache-Control`.
    static func controlFault(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let control = CacheControl([text])
        if let fault = rangeFault(control) { return fault }
        let added = additions.map { [text + ", " + $0] } + lines.flatMap { [[text, $0], [$0, text]] }
        for lines in added {
            if let fault = looserFault(control, CacheControl(lines)) { return "\(fault) in \(lines)" }
        }
        if !CacheControl([text, "no-store"]).noStore { return "no-store is lost" }
        if !CacheControl([text, "no-cache=x"]).noCache { return "no-cache is lost" }
        if !CacheControl(["private=\"", text]).isPrivate { return "private is lost" }
        return nil
    }

    private static func rangeFault(_ control: CacheControl) -> String? {
        let seconds = [control.maxAge, control.minFresh, control.staleWhileRevalidate, control.staleIfError]
        for case let number? in seconds where !(0...CacheControl.longestTime).contains(number) {
            return "\(number) seconds"
        }
        if let number = control.maxStale, number < 0 { return "max-stale \(number)" }
        return nil
    }

    /// Returns in which way a response is more reusable after an addition; nil if it isn't.
    private static func looserFault(_ control: CacheControl, _ added: CacheControl) -> String? {
        if control.noStore, !added.noStore { return "no-store is lost" }
        if control.noCache, !added.noCache { return "no-cache is lost" }
        if control.isPrivate, !added.isPrivate { return "private is lost" }
        if control.mustRevalidate, !added.mustRevalidate { return "must-revalidate is lost" }
        if !control.isPublic, added.isPublic { return "public is gained" }
        if !control.isImmutable, added.isImmutable { return "immutable is gained" }
        let pairs = [
            (control.maxAge, added.maxAge), (control.staleIfError, added.staleIfError),
            (control.staleWhileRevalidate, added.staleWhileRevalidate),
        ]
        for case let (before?, after) in pairs where (after ?? .infinity) > before {
            return "\(before) became \(after ?? -1)"
        }
        return nil
    }

    /// The lines of the input are fields of a response.
    static func freshnessFault(_ input: [UInt8]) -> String? {
        let lines = input.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let fields = ResponseFields(
            lines.map { line in
                let name = line.prefix { $0 != ":" }
                return ResponseFields.Field(name: String(name), value: String(line.dropFirst(name.count + 1)))
            }
        )
        let known = CacheFields(fields)
        let control = CacheControl(known.control)
        for (delay, pause) in [(0.0, 0.0), (3, 100), (0, -5), (-1, 1)] {
            let moments = [0, delay, delay + pause].map { Moment(date: sent + $0, clock: 7 + abs($0)) }
            let freshness = Freshness(known, control, mayEstimate: true, sent: moments[0], received: moments[1])
            let age = freshness.age(at: moments[2])
            guard freshness.lifetime >= 0, freshness.lifetime <= CacheControl.longestTime else {
                return "a lifetime of \(freshness.lifetime)"
            }
            guard age >= max(0, delay + pause) else { return "an age of \(age) after \(delay + pause) s" }
            if delay < 0 || pause < 0, age != .infinity { return "an age of \(age) after the calendar was set back" }
            let shown = fields.aged(age).values(named: "Age")
            guard shown.count == 1, (Int(shown[0]) ?? -1) >= 0 else { return "the field Age is \(shown)" }
        }
        return selectorFault(fields)
    }

    private static func selectorFault(_ fields: ResponseFields) -> String? {
        let vary = fields.values(named: "Vary")
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        for field in fields where (try? HeaderField(name: field.name, value: field.value)) != nil {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        request.url = URL(string: "https://h/a")
        guard let asked = asked(request) else { return "no request" }
        guard let selectors = CacheSelector.selectors(vary, in: asked) else {
            let names = vary.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.map { ASCII.trimmed($0) }
            let isFault = names.allSatisfy { !$0.elementsEqual("*".utf8) && $0.allSatisfy(HTTPToken.isTokenCharacter) }
            return isFault && names.count <= 32 ? "no selectors of \(vary)" : nil
        }
        guard selectors.allSatisfy({ $0.matches(asked) }) else { return "\(vary) does not select its own request" }
        guard CacheSelector.selectors(vary + ["x, *"], in: asked) == nil else { return "a star is lost" }
        let more = CacheSelector.selectors(vary + ["X-Other"], in: asked) ?? []
        guard Set(more).isSuperset(of: selectors) else { return "a name is lost" }
        var other = request
        other.setValue("other", forHTTPHeaderField: "X-Other")
        guard let asked = self.asked(other), !more.allSatisfy({ $0.matches(asked) }) else {
            return "X-Other is ignored"
        }
        return nil
    }

    private static func asked(_ request: URLRequest) -> CacheRequest? {
        CacheRequest(request, persons: [], refusals: [], sensitiveHeaders: [], in: ResponseCache())
    }
}
