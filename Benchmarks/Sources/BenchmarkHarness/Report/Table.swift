/// A table of a report: the first column is text, the others are figures.
public struct Table: Sendable {
    private let columns: [String]
    private var rows: [[String]] = []

    /// Takes the headings.
    ///
    /// - Parameter columns: From left to right.
    public init(_ columns: String...) {
        self.init(columns)
    }

    /// Takes the headings.
    ///
    /// - Parameter columns: From left to right.
    public init(_ columns: [String]) {
        self.columns = columns
    }

    /// Appends a row.
    ///
    /// - Parameter cells: As many as there are columns.
    public mutating func add(_ cells: String...) {
        add(cells)
    }

    /// Appends a row.
    ///
    /// - Parameter cells: As many as there are columns.
    public mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The table, one line for each row.
    public var markdown: String {
        let rule = columns.indices.map { $0 == 0 ? "---" : "---:" }
        return ([columns, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}
