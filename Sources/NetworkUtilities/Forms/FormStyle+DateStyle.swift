public import Foundation

extension FormStyle {
    /// How a date is written; in every style but a custom one it lies in the years 0001 to 9999.
    public struct DateStyle: Sendable {
        /// In UTC, as in `2024-01-02T03:04:05.678Z`, rounded to the millisecond, without a fraction that is zero.
        public static let iso8601 = DateStyle(text: InternetDateTime.text)

        /// Seconds since 1970-01-01T00:00:00Z, with up to three decimals: `1704164645.678`.
        public static let secondsSince1970 = DateStyle { date in
            milliseconds(of: date).map { milliseconds in
                let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
                let sign = milliseconds < 0 ? "-" : ""
                guard rest > 0 else { return "\(sign)\(seconds)" }
                var fraction = String(rest + 1000).dropFirst()
                while fraction.last == "0" { fraction.removeLast() }
                return "\(sign)\(seconds).\(fraction)"
            }
        }

        /// Whole milliseconds since 1970-01-01T00:00:00Z: `1704164645678`.
        public static let millisecondsSince1970 = DateStyle { date in
            milliseconds(of: date).map { String($0) }
        }

        /// A text of your own, such as the day alone.
        ///
        /// - Parameter text: Gives the text, not escaped; called on the thread that encodes.
        /// - Returns: The style.
        public static func custom(_ text: @escaping @Sendable (Date) -> String) -> DateStyle {
            DateStyle(text: text)
        }

        /// The text; nil for a date that has none.
        let text: @Sendable (Date) -> String?

        private static func milliseconds(of date: Date) -> Int64? {
            let seconds = date.timeIntervalSince1970
            guard InternetDateTime.date(secondsSince1970: seconds) != nil else { return nil }
            return Int64(exactly: (seconds * 1000).rounded())
        }
    }
}
