/// What can be in a ``Register``.
protocol Registered: AnyObject, Sendable {
    /// For the register: nil if the object is in none.
    var place: Int? { get set }
}
