import NetworkUtilities

/// What can be done with a body in a log: only the kinds in which secrets can be found are shown.
enum BodyKind {
    case json, form, text, opaque

    init(_ type: MediaType) {
        let essence = type.essence
        if type.isJSON {
            self = .json
        } else if type.isForm {
            self = .form
        } else if essence.hasPrefix("text/") || essence.hasSuffix("+xml") || Self.texts.contains(essence) {
            self = .text
        } else {
            self = .opaque
        }
    }

    private static let texts: Set<String> = [
        "application/graphql", "application/javascript", "application/jsonl", "application/x-ndjson", "application/xml",
        "application/yaml",
    ]
}
