import Foundation
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct UTType: Hashable, Sendable {
    public init?(filenameExtension: String) { fatalError() }
    public var preferredMIMEType: String? { fatalError() }
}
