import Foundation
import NetworkUtilities

extension Charset {
    /// The charset that a `Content-Type` field names (RFC 9110 §8.3.2), UTF-8 if it names none; nil if it is not known.
    init?(contentType: String?) {
        // Single quotes are not in the grammar, but some servers send them and no name contains one.
        let quotes = CharacterSet(charactersIn: " '")
        guard
            let name = contentType.flatMap({ MediaType($0).charset })?.trimmingCharacters(in: quotes),
            !name.isEmpty
        else {
            self = .utf8
            return
        }
        self.init(name: name)
    }
}
