extension MediaType {
    /// A copy with a weight among the types that an answer may have (RFC 9110 §12.4.2), such as `text/html;q=0.8`.
    ///
    /// - Parameter quality: From 0, never, to 1, best, which is what a type without a weight has. What lies outside
    ///   counts as the nearer end, NaN as 1. It is rounded to three decimals, but never to 0 unless it is 0.
    /// - Returns: The type with the weight, in place of any that it had.
    public func weighted(_ quality: Double) -> MediaType {
        MediaType("\(replacing("q", by: nil).text);q=\(QualityValue.text(of: quality))")
    }
}
