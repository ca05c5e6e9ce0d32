/// A property wrapper, as for a value that a server reads, with a name of the macros.
@propertyWrapper
public struct Header<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates a wrapper.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A macro, as for a value that a database fills, with a name of the macros.
@attached(peer)
public macro Query() = #externalMacro(module: "NetworkClientMacrosPlugin", type: "MarkMacro")

/// A type with a name of the library.
public struct Route {
    /// Creates a route.
    public init() {}
}

/// A type with a name of the library.
public struct Endpoint {}

/// A type with a name of the library.
public struct HTTPMethod {}

/// A type with a name of the library.
public struct HeaderField {}
