/// Lets generic code that meets an `Optional` decode what it wraps.
///
/// Only `Optional` conforms: `ExpressibleByNilLiteral` would also let in types of users' own.
protocol OptionalDecodable {
    associatedtype Wrapped: Decodable

    init(wrapped: Wrapped?)
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    init(wrapped: Wrapped?) {
        self = wrapped
    }
}
