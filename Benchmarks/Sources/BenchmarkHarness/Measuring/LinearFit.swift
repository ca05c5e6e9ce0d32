/// A straight line fitted to points by least squares.
public struct LinearFit: Sendable {
    /// The slope.
    public let slope: Double

    /// The value at `x` 0.
    public let intercept: Double

    /// The coefficient of determination, R²: 1 if all points lie on the line.
    public let determination: Double

    /// Fits a line to points with at least two different values of `x`.
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

    /// Returns the line's value at `x`.
    public func value(at x: Double) -> Double {
        intercept + slope * x
    }
}

extension [Double] {
    /// The middle value; 0 for no values.
    public var median: Double { quantile(0.5) }

    /// Returns the quantile of a part from 0 to 1, which may be the mean of two values; 0 for no values.
    public func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let position = part * Double(count - 1)
        return (sorted[Int(position.rounded(.down))] + sorted[Int(position.rounded(.up))]) / 2
    }
}
