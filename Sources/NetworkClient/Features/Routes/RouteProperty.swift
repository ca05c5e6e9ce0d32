/// A property of a ``RoutedEndpoint`` that is a part of the request.
protocol RouteProperty: Sendable {
    /// Whether the property is the body.
    static var isBody: Bool { get }

    /// Returns the name in the request for a property that does not set one.
    static func name(ofProperty label: String, style: FormStyle) -> String

    /// Whether the value may be a ``NamedProperty``; determined once for each type, since the cast is expensive.
    static var holdsName: Bool { get }

    /// Adds the value to the request.
    func add(to draft: inout RouteDraft, _ name: PropertyName) throws
}

/// The name of a property in the request, unless the property sets another one.
struct PropertyName {
    let text: String
    let holdsName: Bool

    /// Returns the value as a ``NamedValue``; nil if it is not one.
    func named<Value>(_ value: Value) -> (any NamedValue)? { holdsName ? value as? any NamedValue : nil }
}

extension RouteProperty {
    static var isBody: Bool { false }
    static var holdsName: Bool { false }

    static func name(ofProperty label: String, style: FormStyle) -> String { label }
}

/// A property that is stored as an optional wrapper; if it is nil, the request doesn't have this part.
extension Optional: RouteProperty where Wrapped: RouteProperty {
    static var isBody: Bool { Wrapped.isBody }
    static var holdsName: Bool { Wrapped.holdsName }

    static func name(ofProperty label: String, style: FormStyle) -> String {
        Wrapped.name(ofProperty: label, style: style)
    }

    func add(to draft: inout RouteDraft, _ name: PropertyName) throws { try self?.add(to: &draft, name) }
}

/// A value in the path of a ``RoutedEndpoint``, written as `@Path`.
///
/// The value takes the place of `:name` or `{name}` in the route's template and stays one segment. It is a text, an
/// integer, a Boolean, a `UUID`, an enum that declares `URLTextConvertible`, or another value of that protocol; an
/// array of them is several segments, as in `@Path var path: [String]` for a file in folders. Its name is the
/// property's, unless `@Path("name") var property = value` or `@Path @Named("name") var property` names another. A
/// property that the template doesn't name is an error of the call (``RouteError``).
@propertyWrapper
public struct PathProperty<Value: PathValue & Sendable>: RouteProperty {
    /// The value, not escaped.
    public var wrappedValue: Value

    private let name: String?

    /// Creates a value with the name of the property.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
        name = nil
    }

    /// Creates a value with another name.
    public init(wrappedValue: Value, _ name: String) {
        self.wrappedValue = wrappedValue
        self.name = name
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(
        *,
        unavailable,
        message: "give the property a default value, or write @Path @Named(\"name\") in place of @Path(\"name\")"
    )
    public init(_ name: String) { fatalError() }

    static var holdsName: Bool { Value.self is any NamedValue.Type }

    func add(to draft: inout RouteDraft, _ name: PropertyName) throws {
        let named = name.named(wrappedValue)
        try draft.setSegments(wrappedValue.pathSegments, of: self.name ?? named?.name ?? name.text)
    }
}

/// A query item of a ``RoutedEndpoint``, written as `@Query`.
///
/// The value is a text, a number, a Boolean, a date, an enum, any other `Encodable`, an array or an optional of these,
/// in the style ``RoutedEndpoint/queryStyle``; nil and an empty array are left out. The item's name is the property's,
/// unless `@Query("name") var property = value` or `@Query @Named("name") var property` names another. A value that
/// can't be written in a query is an error of the call.
@propertyWrapper
public struct QueryProperty<Value: Sendable>: RouteProperty {
    /// The value, not escaped.
    public var wrappedValue: Value

    private let name: String?

    /// Creates an item with the name of the property.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
        name = nil
    }

    /// Creates an item with another name.
    public init(wrappedValue: Value, _ name: String) {
        self.wrappedValue = wrappedValue
        self.name = name
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(
        *,
        unavailable,
        message: "give the property a default value, or write @Query @Named(\"name\") in place of @Query(\"name\")"
    )
    public init(_ name: String) { fatalError() }

    static func name(ofProperty label: String, style: FormStyle) -> String { style.keys.name(of: label) }

    static var holdsName: Bool { Value.self is any NamedValue.Type }

    func add(to draft: inout RouteDraft, _ name: PropertyName) throws {
        let named = name.named(wrappedValue)
        let item = try QueryItem(
            self.name ?? named?.name ?? name.text,
            any: named?.base ?? wrappedValue,
            style: draft.style
        )
        draft.items.append(item)
    }
}

/// A header field of a ``RoutedEndpoint``, written as `@Header`.
///
/// The value is a text, a number, a Boolean, a date (written as an HTTP-date), an enum, a `MediaType`, a `Credential`,
/// an `EntityTag`, an array (written as `a, b`) or an optional of these; nil and an empty array are left out. The field
/// of a property `acceptLanguage` is `Accept-Language`, unless `@Header("name") var property = value` or
/// `@Header @Named("name") var property` names another. A value with a control character is an error of the call.
@propertyWrapper
public struct HeaderProperty<Value: Sendable>: RouteProperty {
    /// The value.
    public var wrappedValue: Value

    private let name: String?

    /// Creates a field with the name of the property.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
        name = nil
    }

    /// Creates a field with another name.
    public init(wrappedValue: Value, _ name: String) {
        self.wrappedValue = wrappedValue
        self.name = name
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(
        *,
        unavailable,
        message: "give the property a default value, or write @Header @Named(\"name\") in place of @Header(\"name\")"
    )
    public init(_ name: String) { fatalError() }

    static func name(ofProperty label: String, style: FormStyle) -> String { HeaderField.name(ofProperty: label) }

    static var holdsName: Bool { Value.self is any NamedValue.Type }

    func add(to draft: inout RouteDraft, _ name: PropertyName) throws {
        let named = name.named(wrappedValue)
        let field = try HeaderField.field(self.name ?? named?.name ?? name.text, any: named?.base ?? wrappedValue)
        if let field { draft.fields.append(field) }
    }
}

/// The body of a ``RoutedEndpoint`` under another name than `body`, written as `@Body`.
///
/// The value is sent like ``RoutedEndpoint/body``. A second body is an error of the call.
@propertyWrapper
public struct BodyProperty<Value: Sendable>: RouteProperty {
    /// The value, not encoded; no body is sent for nil.
    public var wrappedValue: Value

    /// Creates a body.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    static var isBody: Bool { true }

    func add(to draft: inout RouteDraft, _ name: PropertyName) { draft.content = wrappedValue }
}

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

extension NamedProperty: PathValue where Value: PathValue {
    /// The segments of the value.
    public var pathSegments: [String] { wrappedValue.pathSegments }
}

/// A value with a name, of any type.
protocol NamedValue {
    var name: String? { get }
    var base: Any { get }
}

extension NamedProperty: NamedValue {
    var base: Any { wrappedValue }
}

// The values may be secrets, and only the request says which ones: no text of a property shows any.
extension PathProperty: OpaqueValue {
    /// The mask `***`: the value may be a secret.
    public var description: String { "***" }
}

extension QueryProperty: OpaqueValue {
    /// The mask `***`: the value may be a secret.
    public var description: String { "***" }
}

extension HeaderProperty: OpaqueValue {
    /// The mask `***`: the value may be a secret.
    public var description: String { "***" }
}

extension BodyProperty: OpaqueValue {
    /// The mask `***`: the value may be a secret.
    public var description: String { "***" }
}

extension NamedProperty: OpaqueValue {
    /// The mask `***`: the value may be a secret.
    public var description: String { "***" }
}

// An endpoint can be compared, and be a key, if its values can; names count, since they are part of the request.
extension PathProperty: Equatable where Value: Equatable {}
extension PathProperty: Hashable where Value: Hashable {}
extension QueryProperty: Equatable where Value: Equatable {}
extension QueryProperty: Hashable where Value: Hashable {}
extension HeaderProperty: Equatable where Value: Equatable {}
extension HeaderProperty: Hashable where Value: Hashable {}
extension BodyProperty: Equatable where Value: Equatable {}
extension BodyProperty: Hashable where Value: Hashable {}
extension NamedProperty: Equatable where Value: Equatable {}
extension NamedProperty: Hashable where Value: Hashable {}
