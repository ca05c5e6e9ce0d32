/// A property of a ``RoutedEndpoint`` that is a part of its request: `@Path`, `@Query`, `@Header` or `@Body`.
///
/// The name in the request is the property's, unless `@Query("name") var property = value` or
/// `@Query @Named("name") var property` names another. An endpoint can be compared, and be a key, if its values can;
/// names count, since they are part of the request.
@propertyWrapper
public struct EndpointProperty<Part: RequestPart, Value: Sendable>: Sendable {
    /// The value, neither encoded nor escaped.
    public var wrappedValue: Value

    let name: String?

    /// Creates a part with the name of the property.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
        name = nil
    }

    /// Creates a part with another name.
    public init(wrappedValue: Value, _ name: String) where Part: NamedRequestPart {
        self.wrappedValue = wrappedValue
        self.name = name
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(
        *,
        unavailable,
        message: "give the property a default value, or write the name after the mark, as in @Query @Named(\"name\")"
    )
    public init(_ name: String) where Part: NamedRequestPart { fatalError() }
}

extension EndpointProperty: Equatable where Value: Equatable {}
extension EndpointProperty: Hashable where Value: Hashable {}

extension EndpointProperty: OpaqueValue {
    /// The mask `***`: only the request says which values are secrets.
    public var description: String { "***" }
}

/// The property wrapper `@Query` under a name that no macro of another module has.
public typealias QueryProperty<Value: Sendable> = EndpointProperty<QueryPart, Value>

/// The name of a property in a request, written as `@Named("name")` after `@Path`, `@Query` or `@Header`.
///
/// Use it for properties without a default value: Swift's memberwise initialiser then still accepts the plain value, as
/// in `Search(text: "swift")` for `@Query @Named("q") var text: String`.
@propertyWrapper
public struct NamedProperty<Value: Sendable>: Sendable {
    /// The value.
    public var wrappedValue: Value

    let name: String?

    /// Creates a value with a name; nil stands for the name of the property.
    public init(wrappedValue: Value, _ name: String? = nil) {
        self.wrappedValue = wrappedValue
        self.name = name
    }
}

extension NamedProperty: Equatable where Value: Equatable {}
extension NamedProperty: Hashable where Value: Hashable {}

extension NamedProperty: PathValue where Value: PathValue {
    /// The segments of the value.
    public var pathSegments: [String] { wrappedValue.pathSegments }
}

extension NamedProperty: OpaqueValue {
    /// The mask `***`: only the request says which values are secrets.
    public var description: String { "***" }
}

// MARK: - Parts of a request

/// A part of a request to which an ``EndpointProperty`` belongs; the library has four.
public protocol RequestPart: Sendable {}

/// A part whose values have names.
public protocol NamedRequestPart: RequestPart {}

/// The path.
public enum PathPart: NamedRequestPart {}

/// The query.
public enum QueryPart: NamedRequestPart {}

/// The header.
public enum HeaderPart: NamedRequestPart {}

/// The body.
public enum BodyPart: RequestPart {}

/// Adds values to its part of a draft.
protocol DraftedPart: RequestPart {
    /// Returns the name in the request for a property that does not set one.
    static func name(ofProperty label: String, style: FormStyle) -> String

    static func add(_ value: Any, _ name: String, to draft: inout RouteDraft) throws
}

extension PathPart: DraftedPart {
    static func name(ofProperty label: String, style: FormStyle) -> String { label }

    static func add(_ value: Any, _ name: String, to draft: inout RouteDraft) throws {
        if let value = value as? any PathValue { try draft.setSegments(value.pathSegments, of: name) }
    }
}

extension QueryPart: DraftedPart {
    static func name(ofProperty label: String, style: FormStyle) -> String { style.keys.name(of: label) }

    static func add(_ value: Any, _ name: String, to draft: inout RouteDraft) throws {
        draft.items.append(try QueryItem(name, any: value, style: draft.style))
    }
}

extension HeaderPart: DraftedPart {
    static func name(ofProperty label: String, style: FormStyle) -> String { HeaderField.name(ofProperty: label) }

    static func add(_ value: Any, _ name: String, to draft: inout RouteDraft) throws {
        if let field = try HeaderField.field(name, any: value) { draft.fields.append(field) }
    }
}

extension BodyPart: DraftedPart {
    static func name(ofProperty label: String, style: FormStyle) -> String { label }

    static func add(_ value: Any, _ name: String, to draft: inout RouteDraft) { draft.content = value }
}

// MARK: - Properties of any type

/// A property that is part of a request.
protocol RouteProperty {
    static var part: any RequestPart.Type { get }

    /// Whether the value may be a ``NamedProperty``; determined once for each type, since the cast is expensive.
    static var holdsName: Bool { get }

    /// The value, and its name if the property sets one; nil for a part that the request doesn't have.
    var content: (name: String?, value: Any)? { get }
}

extension EndpointProperty: RouteProperty {
    static var part: any RequestPart.Type { Part.self }
    static var holdsName: Bool { Value.self is any NamedValue.Type }
    var content: (name: String?, value: Any)? { (name, wrappedValue) }
}

/// A property that is stored as an optional wrapper; if it is nil, the request doesn't have this part.
extension Optional: RouteProperty where Wrapped: RouteProperty {
    static var part: any RequestPart.Type { Wrapped.part }
    static var holdsName: Bool { Wrapped.holdsName }
    var content: (name: String?, value: Any)? { self?.content }
}

/// A ``NamedProperty`` of any type.
protocol NamedValue {
    var name: String? { get }
    var base: Any { get }
}

extension NamedProperty: NamedValue {
    var base: Any { wrappedValue }
}
