/// How much a server remembers of its requests.
package enum Recording: Sendable {
    case everything
    /// Requests with their lengths but not their bodies, so that an upload of any size takes no memory.
    case withoutBodies
    /// Numbers only, for runs of many thousand requests; handlers do get the bodies.
    case countsOnly
}
