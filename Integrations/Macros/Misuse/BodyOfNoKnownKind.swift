// expect: a body is Encodable, or a RequestBody such as MultipartForm, or Data, or text
import NetworkClientMacros

@Post("/items")
struct BodyOfNoKnownKind {
    struct Content: Sendable {}

    let body: Content
}
