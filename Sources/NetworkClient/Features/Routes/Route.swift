/// The method of a ``RoutedEndpoint`` and the template of its path.
///
/// `:name` at the beginning of a segment and `{name}` anywhere stand for the `@Path` property of that name, as in
/// `/users/:id/posts`, `/files/:name.json` and `/range/{from}-{to}`. Each value stays one segment, whatever it
/// contains; an array has one for each element. A `:` at any other place is literal; at the beginning of a segment,
/// write `::` for a `:`. The remaining text has the form of a `RequestPath`: a `?` begins the query.
///
/// A malformed template is an error of the call, before anything is sent.
public struct Route: Equatable, Sendable {
    /// The method.
    public let method: HTTPMethod

    /// The template of the path.
    public let template: String

    private let parts: [Part]
    let names: [String]
    private let fault: String?

    private enum Part {
        case literal(String)
        case value(Int, label: String)
    }

    /// Creates a route with any method.
    public init(_ method: HTTPMethod, _ template: String) {
        self.method = method
        self.template = template
        var parser = Parser()
        do {
            try parser.parse(template)
            fault = nil
        } catch {
            fault = error.reason
        }
        parts = parser.parts
        names = parser.names
    }

    /// Creates the route of a GET request.
    public static func get(_ template: String) -> Route { Route(.get, template) }

    /// Creates the route of a POST request.
    public static func post(_ template: String) -> Route { Route(.post, template) }

    /// Creates the route of a PUT request.
    public static func put(_ template: String) -> Route { Route(.put, template) }

    /// Creates the route of a PATCH request.
    public static func patch(_ template: String) -> Route { Route(.patch, template) }

    /// Creates the route of a DELETE request.
    public static func delete(_ template: String) -> Route { Route(.delete, template) }

    /// Creates the route of a HEAD request.
    public static func head(_ template: String) -> Route { Route(.head, template) }

    /// Creates the route of an OPTIONS request.
    public static func options(_ template: String) -> Route { Route(.options, template) }

    /// Creates the route of a TRACE request.
    public static func trace(_ template: String) -> Route { Route(.trace, template) }

    /// Creates the route of a CONNECT request.
    public static func connect(_ template: String) -> Route { Route(.connect, template) }

    /// Returns whether two routes have the same method and template.
    public static func == (one: Route, other: Route) -> Bool {
        one.template == other.template && one.method == other.method
    }
}

extension Route {
    /// Throws the error of a malformed template.
    func check() throws(RouteError) {
        if let fault { throw error(nil, fault) }
    }

    /// Returns the path with the segments for each name of the template.
    func path(_ values: [[String]?]) throws(RouteError) -> RequestPath {
        var path = RequestPath.StringInterpolation(literalCapacity: 0, interpolationCount: names.count)
        var isInPath = true
        for part in parts {
            switch part {
            case .literal(let text):
                path.appendLiteral(text)
                isInPath = isInPath && !text.contains { $0 == "?" || $0 == "#" }
            case .value(let index, let label):
                guard let segments = values[index] else {
                    throw error(names[index], "is missing: the endpoint has no @Path property of this name")
                }
                guard isInPath || segments.count == 1 else {
                    throw error(names[index], "is an array, which has no segments behind the path: mark it @Query")
                }
                path.append(segments: segments, label: label)
            }
        }
        return RequestPath(stringInterpolation: path)
    }

    /// Creates the error for a property of this route, or for the route itself.
    func error(_ property: String?, _ reason: String) -> RouteError {
        RouteError(template: template, property: property, reason: reason)
    }

    private struct Parser {
        struct Fault: Error {
            let reason: String
        }

        private(set) var parts: [Part] = []
        private(set) var names: [String] = []
        private var literal = ""

        mutating func parse(_ template: String) throws(Fault) {
            var rest = template[...]
            var isInPath = true
            var isAtSegmentStart = true
            while let character = rest.popFirst() {
                switch character {
                case "{":
                    guard let end = rest.firstIndex(of: "}") else { throw Fault(reason: "has a '{' without its '}'") }
                    try append(name: rest[..<end], hint: "use the name of a property, such as '{userID}'") { "{\($0)}" }
                    rest = rest[end...].dropFirst()
                case "}":
                    throw Fault(reason: "has a '}' without its '{'")
                case ":" where isInPath && isAtSegmentStart && rest.first == ":":
                    literal.append(":")
                    rest = rest.dropFirst()
                case ":" where isInPath && isAtSegmentStart:
                    let name = rest.prefix { $0 == "_" || $0.isLetter || $0.isNumber }
                    try append(name: name, hint: "write '::' for a colon there") { ":\($0)" }
                    rest = rest[name.endIndex...]
                default:
                    literal.append(character)
                    if character == "?" || character == "#" { isInPath = false }
                }
                isAtSegmentStart = character == "/"
            }
            endLiteral()
        }

        private mutating func append(name: Substring, hint: String, label: (Substring) -> String) throws(Fault) {
            guard let first = name.first, first == "_" || first.isLetter,
                name.allSatisfy({ $0 == "_" || $0.isLetter || $0.isNumber })
            else {
                throw Fault(reason: "has '\(label(name))', which names no property; \(hint)")
            }
            endLiteral()
            let index = names.firstIndex(of: String(name)) ?? names.count
            if index == names.count { names.append(String(name)) }
            parts.append(.value(index, label: label(name)))
        }

        private mutating func endLiteral() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
        }
    }
}

/// The error for a route whose template is malformed, or doesn't fit the properties of its endpoint.
///
/// The description names the template and the property, never a value.
public struct RouteError: Error, Hashable, Sendable {
    /// The template of the route, as in `/users/:id`.
    public let template: String

    /// The name of the property or of the value in the template; nil for the route as a whole.
    public let property: String?

    /// The reason, which follows the property in a sentence.
    public let reason: String

    /// Creates the error for a route.
    public init(template: String, property: String?, reason: String) {
        self.template = template
        self.property = property
        self.reason = reason
    }
}

extension RouteError: DescribedError {
    /// One sentence that names the template, the property and the reason.
    public var description: String {
        "The route '\(template)' cannot be used: \(property.map { "the property '\($0)'" } ?? "it") \(reason)."
    }
}
