/// Who writes the request.
public enum RequestAuthor: String, CaseIterable, Sendable {
    /// The library's builder.
    case builder

    /// Code as one writes it with Foundation alone.
    case hand

    /// Nobody: `URLRequest` is given a URL, fields and a body that were made before.
    ///
    /// What that costs, no code that makes a `URLRequest` can go below.
    case floor
}
