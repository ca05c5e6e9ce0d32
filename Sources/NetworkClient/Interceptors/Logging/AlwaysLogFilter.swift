/// A filter that refuses nothing.
public struct AlwaysLogFilter: LoggerFilter {
    /// Makes the filter.
    public init() {}
}

extension LoggerFilter where Self == AlwaysLogFilter {
    /// Refuses nothing.
    public static var always: AlwaysLogFilter { AlwaysLogFilter() }
}
