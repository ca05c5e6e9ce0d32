import Foundation
import NetworkUtilities

/// The dates of ``DefaultDecoder``: any form of `InternetDateTime`, or a number of seconds since 1970.
enum FlexibleDate {
    /// Decodes one date, as a strategy of `JSONDecoder`.
    ///
    /// - Throws: `DecodingError`: `dataCorrupted` for a string or number that is no date, `valueNotFound` for null,
    ///   `typeMismatch` for anything else.
    @Sendable static func decode(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            throw DecodingError.valueNotFound(Date.self, context(of: container, "is null where a date is expected"))
        }
        let date: Date?
        if let text = try? container.decode(String.self) {
            date = InternetDateTime.date(from: text)
        } else if let seconds = try? container.decode(Double.self) {
            date = InternetDateTime.date(secondsSince1970: seconds)
        } else {
            throw DecodingError.typeMismatch(Date.self, context(of: container, "is neither a string nor a number"))
        }
        guard let date else { throw DecodingReason.notADate.error(at: container.codingPath) }
        return date
    }

    private static func context(
        of container: any SingleValueDecodingContainer,
        _ reason: String
    ) -> DecodingError.Context {
        let path = container.codingPath
        return .init(codingPath: path, debugDescription: "\(DecodingErrorText.subject(at: path)) \(reason).")
    }
}
