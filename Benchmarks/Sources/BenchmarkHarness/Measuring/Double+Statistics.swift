extension [Double] {
    /// The middle value; 0 for no values.
    public var median: Double { quantile(0.5) }

    /// The value below which that part of the values lies; 0 for no values.
    ///
    /// - Parameter part: 0…1.
    /// - Returns: One of the values, or the mean of the two nearest.
    public func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let position = part * Double(count - 1)
        return (sorted[Int(position.rounded(.down))] + sorted[Int(position.rounded(.up))]) / 2
    }
}
