/// Records what the client sends and receives.
public protocol NetworkLogger: Sendable {
}
