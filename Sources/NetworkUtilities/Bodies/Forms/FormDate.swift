import Foundation

/// How a date is written in a form: ISO 8601 in UTC, with milliseconds where they are not zero, as in a JSON body.
enum FormDate {
    static func text(for date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        let formatter = ISO8601DateFormatter()
        if milliseconds.truncatingRemainder(dividingBy: 1_000) != 0 {
            formatter.formatOptions.insert(.withFractionalSeconds)
        }
        return formatter.string(from: Date(timeIntervalSince1970: milliseconds / 1_000))
    }
}
