#if canImport(FoundationNetworking)
import Foundation

/// A queue that carries out a block where it is added, before it returns.
///
/// FoundationNetworking adds a block for whatever its delegate is to hear, on the one queue on which it does
/// everything.
final class InlineOperationQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}
#endif
