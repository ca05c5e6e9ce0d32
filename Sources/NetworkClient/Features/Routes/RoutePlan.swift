/// The properties of a ``RoutedEndpoint`` type that are parts of its requests, found once for each type.
///
/// A mirror finds their names, types and order, and later the values of each instance.
final class RoutePlan: Sendable {
    let route: Route
    private let properties: [Property]

    private struct Property {
        let part: any DraftedPart.Type
        /// The name in the request, unless the property sets another one.
        let name: String
        let holdsName: Bool
        /// The position among the stored properties.
        let index: Int
    }

    private static let plans = Locked<[ObjectIdentifier: RoutePlan]>([:])

    /// Returns the plan of an endpoint's type; creates another one if a computed `route` has changed.
    static func plan<E: RoutedEndpoint>(of endpoint: E) throws(RouteError) -> RoutePlan {
        let route = E.route
        let id = ObjectIdentifier(E.self)
        if let plan = plans.withLock({ $0[id] }), plan.route == route { return plan }
        let plan = try RoutePlan(of: endpoint, route)
        plans.withLock { $0[id] = plan }
        return plan
    }

    private init<E: RoutedEndpoint>(of endpoint: E, _ route: Route) throws(RouteError) {
        try route.check()
        self.route = route
        let hasBody = E.Content.self != Never?.self
        var properties: [Property] = []
        for (index, place) in try StoredProperty.all(of: endpoint, route).enumerated() {
            let label = place.label.hasPrefix("_") ? String(place.label.dropFirst()) : place.label
            guard let type = place.type as? any RouteProperty.Type else {
                try Self.check(place, of: E.self, route)
                continue
            }
            guard let part = type.part as? any DraftedPart.Type else {
                throw route.error(label, "would not be sent: \(type.part) is no part of a request")
            }
            if part == BodyPart.self {
                // `@Body var body` is also the `body` that the protocol requires.
                if hasBody, label == "body" { continue }
                guard !hasBody, !properties.contains(where: { $0.part == BodyPart.self }) else {
                    throw route.error(label, "is a second body")
                }
            }
            let name = part.name(ofProperty: label, style: E.queryStyle)
            properties.append(.init(part: part, name: name, holdsName: type.holdsName, index: index))
        }
        self.properties = properties
    }

    /// Throws an error for a property that seems to be part of the request but would not be sent.
    private static func check<E: RoutedEndpoint>(
        _ place: StoredProperty,
        of endpoint: E.Type,
        _ route: Route
    ) throws(RouteError) {
        if place.label == "body", place.type != E.Content.self {
            throw route.error("body", "would not be sent: it must be of the type Content")
        }
        if place.label == "headers", place.type != [HeaderField].self {
            throw route.error("headers", "would not be sent: it must be of the type [HeaderField]")
        }
        if place.label == "queryItems", place.type != [QueryItem].self {
            throw route.error("queryItems", "would not be sent: it must be of the type [QueryItem]")
        }
        guard place.holdsProperties, !["body", "headers", "queryItems"].contains(place.label) else { return }
        guard place.label.hasPrefix("_") else {
            let reason =
                "would not be sent: @Path, @Query and @Header count in the endpoint itself, not in a part of it"
            throw route.error(place.label, reason)
        }
        let reason = "would not be sent: of several wrappers, @Path, @Query or @Header must be the first"
        throw route.error(String(place.label.dropFirst()), reason)
    }

    /// Returns the parts of an endpoint's request.
    func draft<E: RoutedEndpoint>(of endpoint: E) throws -> RouteDraft {
        var draft = RouteDraft(route: route, style: E.queryStyle)
        var rest = properties[...]
        for (index, child) in Mirror(reflecting: endpoint).children.enumerated() {
            guard let property = rest.first else { break }
            guard property.index == index else { continue }
            rest.removeFirst()
            // The cast fails for an optional wrapper that is nil.
            guard let content = (child.value as? any RouteProperty)?.content else { continue }
            let named = property.holdsName ? content.value as? any NamedValue : nil
            let name = content.name ?? named?.name ?? property.name
            try property.part.add(named?.base ?? content.value, name, to: &draft)
        }
        return draft
    }
}

/// The parts of a request that the properties of an endpoint describe.
struct RouteDraft {
    private let route: Route
    let style: FormStyle

    /// The segments of the `@Path` properties, in the order of the names in the template.
    private(set) var values: [[String]?]
    var items: [QueryItem] = []
    var fields: [HeaderField] = []

    /// The value of the `@Body` property.
    var content: Any?

    init(route: Route, style: FormStyle) {
        self.route = route
        self.style = style
        values = Array(repeating: nil, count: route.names.count)
    }

    mutating func setSegments(_ texts: [String], of name: String) throws(RouteError) {
        guard let index = route.names.firstIndex(of: name) else {
            throw route.error(name, "is marked @Path, but the template has no ':\(name)' and no '{\(name)}'")
        }
        guard values[index] == nil else { throw route.error(name, "has more than one @Path value") }
        values[index] = texts
    }
}

/// A stored property of a struct: its name and its type.
private struct StoredProperty {
    let label: String
    /// The declared type, which can be an existential, unlike the type of the value.
    let type: Any.Type

    /// The value in the instance that was reflected.
    let value: Any

    /// Whether the value is another property wrapper, or a struct, that contains one of the library's wrappers; not an
    /// endpoint, which is sent on its own.
    var holdsProperties: Bool {
        guard !(value is any Endpoint) else { return false }
        // The mirror of a `NamedProperty` hides its value.
        if let named = value as? any NamedValue { return named.base is any RouteProperty }
        return Mirror(reflecting: value).children.prefix(32).contains { $0.value is any RouteProperty }
    }

    /// Returns the stored properties in their order.
    static func all<Whole>(of value: Whole, _ route: Route) throws(RouteError) -> [StoredProperty] {
        let mirror = Mirror(reflecting: value)
        guard !(value is any CustomReflectable) else {
            throw route.error(nil, "belongs to \(Whole.self), whose custom mirror hides its properties")
        }
        guard mirror.displayStyle == .struct else {
            throw route.error(nil, "belongs to \(Whole.self), which is not a struct")
        }
        func type<Value>(of value: Value) -> Any.Type { Value.self }
        var properties: [StoredProperty] = []
        for child in mirror.children {
            let type = _openExistential(child.value, do: type)
            // In a mirror, a field has the type `()` if the runtime can't find its type, and no label if field names
            // were stripped from the binary.
            guard let label = child.label, !label.isEmpty, type != Void.self else {
                throw route.error(nil, "belongs to \(Whole.self), whose properties can't be found")
            }
            properties.append(.init(label: label, type: type, value: child.value))
        }
        return properties
    }
}
