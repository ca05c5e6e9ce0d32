/// The straight line that fits points best, by least squares.
public struct LinearFit: Sendable {
    /// How much `y` grows for each 1 of `x`.
    public let slope: Double

    /// Where it begins, at `x` 0.
    public let intercept: Double

    /// How much of the spread of `y` the line explains: 1 if all points lie on it.
    public let determination: Double

    /// Fits a line.
    ///
    /// - Parameters:
    ///   - x: At least two different values.
    ///   - y: As many.
    public init(x: [Double], y: [Double]) {
        let count = Double(x.count)
        let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
        let spreadX = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        let spreadY = y.reduce(0) { $0 + ($1 - meanY) * ($1 - meanY) }
        let common = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        slope = common / spreadX
        intercept = meanY - slope * meanX
        determination = spreadY == 0 ? 1 : common * common / (spreadX * spreadY)
    }

    /// What the line says of a point.
    ///
    /// - Parameter x: Where.
    /// - Returns: The `y` there.
    public func value(at x: Double) -> Double {
        intercept + slope * x
    }
}
