@testable import NetworkClient
@testable import NetworkUtilities

/// The law that all responses of all walks obey.
enum WalkLaw {
    /// Returns what is wrong with a response; nil if nothing is.
    ///
    /// `confirmed` is what the server has confirmed, and to whom.
    static func fault(
        _ response: NetworkClient.Response<String>,
        _ call: WalkCall,
        _ start: WalkMoment,
        _ confirmed: Set<String>
    ) -> String? {
        guard call.method == "GET" else { return nil }
        let parts = response.item.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let version = Int(parts[3]), let status = response.cacheStatus else { return "no body" }
        let (path, person) = target(of: call, start)
        let resource = NamingServer.resource(String(path.drop { $0 != "/" }))
        let isForAll = resource.isPublic && !resource.control.contains("private")
        let isConfirmed = confirmed.contains("\(person)|\(path)|\(version)")
        let mayBeOfAnother = isForAll && (status == .fresh || status != .network && isConfirmed)
        if parts[1] != path { return "the response of \(parts[1])" }
        if parts[0] != person, !mayBeOfAnother { return "the response of \(parts[0])" }
        if resource.variesByLanguage, parts[2] != call.language { return "the language \(parts[2])" }
        let written = start.written[path, default: 1]
        // A call that shares an exchange may get a response from before a write that has ended since.
        let hasJoined = response.journey.steps.contains { $0.kind == .sharing }
        if version < written, !hasJoined { return "version \(version) after \(written) was written" }
        guard let date = response["Date"].flatMap({ HTTPDate.date(from: $0, now: start.now) }) else { return "no date" }
        let staleness = start.now.timeIntervalSince(date) - resource.seconds("max-age")
        switch status {
        case .fresh where staleness >= 0: return "stale for \(staleness) s as fresh"
        case .fresh where resource.control.contains("no-"): return "fresh in spite of \(resource.control)"
        case .stale, .staleOnError:
            if call.policy == .returnCacheDataElseLoad { return nil }
            if resource.control.contains("must-revalidate") { return "\(status) in spite of must-revalidate" }
            let isAsked = call.control == "max-stale" && status == .stale
            let name = status == .stale ? "stale-while-revalidate" : "stale-if-error"
            return isAsked || staleness <= resource.seconds(name) ? nil : "\(status) for \(staleness) s"
        default: break
        }
        return nil
    }

    /// Returns where the redirects of a call end, and whom the server sees there.
    private static func target(of call: WalkCall, _ start: WalkMoment) -> (path: String, person: String) {
        switch NamingServer.resource(call.path).location?(start.person) {
        case nil: ("h.example" + call.path, start.person)
        case let location? where location.hasPrefix("https://"):
            (String(location.dropFirst("https://".count)), "nobody")
        case let location?: ("h.example" + location, start.person)
        }
    }
}

/// A call of a walk.
struct WalkCall: Sendable {
    var client = 0
    var path = "/plain"
    var language = "de"
    var method = "GET"
    /// The credentials that the caller sets, which no session owns.
    var fields: [String: String] = [:]
    var user: String?
    var hasSession = true
    var isShared = false
    var control: String?
    var policy = URLRequest.CachePolicy.useProtocolCachePolicy
    var isHeld = false
    var tenant: String?
    /// The seconds that an attempt may take.
    var limit: Double?

    var request: URLRequest {
        let authority = user.map { "\($0):secret@h.example" } ?? "h.example"
        var request = URLRequest(url: url("https://\(authority)\(path)"))
        (request.httpMethod, request.cachePolicy) = (method, policy)
        request.setValue(language, forHTTPHeaderField: "Accept-Language")
        if let control { request.setValue(control, forHTTPHeaderField: "Cache-Control") }
        request.setValue(tenant, forHTTPHeaderField: "X-Tenant-Id")
        if isHeld { request.setValue("1", forHTTPHeaderField: "X-Held") }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return isShared ? request.withInstanceCaching() : request
    }
}

/// What is known when a call starts.
struct WalkMoment: Sendable {
    let person: String
    let now: Date
    /// The versions that had been written by then, each by a PUT that had ended.
    let written: [String: Int]
}
