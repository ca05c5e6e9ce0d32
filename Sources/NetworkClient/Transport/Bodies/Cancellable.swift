/// Something in progress that can be stopped from anywhere.
protocol Cancellable: AnyObject, Sendable {
    /// Stops it; has no effect after its end.
    func cancel()
}
