// This module brings along the library.
@_exported public import NetworkClient

/// Makes a struct the endpoint of a GET request, whose parts are the marked properties of the struct.
///
/// ```swift
/// @Get("/users/:id/items", of: [Item].self)
/// struct ItemsOfUser {
///     @Path var id: Int
///     @Query var page: Int?
///     @Query("q") var text: String
///     @Header var acceptLanguage = "el"
/// }
///
/// let items = try await client.fetch(ItemsOfUser(id: 1, text: "tea")).item
/// ```
/// The struct must stand in a file or in a type, not in a function. Its properties stay as they are declared; each one
/// that is stored is marked ``Path(_:)``, ``Query(_:)``, ``Header(_:)`` or ``Body(_:)``, has the name `body`, `headers`
/// or `options`, or is read by the code of a property that is sent, of `options` or of `value(from:)`. Anything that
/// doesn't fit the path or the method does not compile.
///
/// - A property `body` is the body, also without a mark. It is sent as ``NetworkClient/RoutedEndpoint`` sends it.
/// - A property `headers`, of the type `[String: String?]` or `[HeaderField]`, has more header fields.
/// - `options` and `value(from:)` are those of ``NetworkClient/Endpoint``.
///
/// - Parameters:
///   - path: A literal. `:name` at the beginning of a segment and `{name}` anywhere stand for the property of that
///     name that is marked ``Path(_:)``; `::` is a colon at the beginning of a segment.
///   - response: The type of the response; a nested type or type alias `Response` takes precedence.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Get(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a POST request: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Post(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a PUT request: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Put(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a PATCH request: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Patch(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a DELETE request: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Delete(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a HEAD request, which has no body: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Head(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of an OPTIONS request: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Options(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a TRACE request, which has no body: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Trace(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a CONNECT request, which has no body: see ``Get(_:of:)``.
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Connect(_ path: String, of response: any (Decodable & Sendable).Type = EmptyResponse.self) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Makes a struct the endpoint of a request with any method, as in `@Method("PROPFIND", "/files")`: see ``Get(_:of:)``.
///
/// The method is the literal of a token (RFC 9110 §5.6.2).
@attached(member, names: named(Response))
@attached(extension, conformances: Endpoint, names: named(request))
public macro Method(
    _ method: String,
    _ path: String,
    of response: any (Decodable & Sendable).Type = EmptyResponse.self
) =
    #externalMacro(module: "NetworkClientMacrosPlugin", type: "EndpointMacro")

/// Marks the property whose value takes the place of `:name` or `{name}` in the path.
///
/// The value stays one segment, whatever it contains; it conforms to `URLTextConvertible`. A property that is declared
/// as an array, as in `@Path var folders: [String]`, is one segment for each element.
///
/// - Parameter name: The name in the path, a literal that could be the name of a property, such as `user_id`; by
///   default the name of the property.
@attached(peer)
public macro Path(_ name: String = "") = #externalMacro(module: "NetworkClientMacrosPlugin", type: "MarkMacro")

/// Marks a property that is sent as a query item, in the order of the declarations.
///
/// The value is anything that the step `add(query:value:)` of the builder accepts: texts, numbers, Booleans, enums that
/// conform to `URLTextConvertible`, dates, any other `Encodable`, arrays and optionals of these. Nil and an empty array
/// add nothing.
///
/// - Parameter name: The name in the query, a literal; by default the name of the property.
@attached(peer)
public macro Query(_ name: String = "") = #externalMacro(module: "NetworkClientMacrosPlugin", type: "MarkMacro")

/// Marks a property that is sent as a header field.
///
/// The value is a text, a number, a Boolean, a date (written as an HTTP-date), a `MediaType`, a `Credential`, an
/// `EntityTag`, an array (written as `a, b`) or an optional of these; nil and an empty array are left out. A value with
/// a control character is an error of the call.
///
/// - Parameter name: The name of the field, the literal of a token (RFC 9110 §5.6.2); by default `Accept-Language` for
///   the property `acceptLanguage`.
@attached(peer)
public macro Header(_ name: String = "") = #externalMacro(module: "NetworkClientMacrosPlugin", type: "MarkMacro")

/// Marks the property that is sent as the body, under another name than `body`; no body is sent for nil.
@attached(peer)
public macro Body() = #externalMacro(module: "NetworkClientMacrosPlugin", type: "MarkMacro")
