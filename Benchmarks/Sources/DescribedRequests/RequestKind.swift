/// What kind of request is described.
public enum RequestKind: String, CaseIterable, Sendable {
    /// GET with three query items and two header fields.
    case query

    /// POST of a small struct as JSON.
    case json

    /// POST of a form of five fields.
    case form

    /// POST of two small parts.
    case multipart
}
