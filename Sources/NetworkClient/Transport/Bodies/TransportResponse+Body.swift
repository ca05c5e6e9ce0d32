import Foundation

extension TransportResponse {
    /// The body of an answer, after content decoding.
    public struct Body: Sendable {
        private enum Content {
            case whole(Data, isCut: Bool)
            case streamed(any BodyChannel)
        }

        private let content: Content

        /// A body that is complete when the head is known, or cut where it became too long.
        static func whole(_ data: Data, isCut: Bool = false) -> Body { Body(content: .whole(data, isCut: isCut)) }

        /// A body that is read while it comes.
        static func streamed(_ channel: any BodyChannel) -> Body { Body(content: .streamed(channel)) }

        /// The bytes of a body that is complete; none of one that is streamed.
        var data: Data {
            guard case .whole(let data, _) = content else { return Data() }
            return data
        }

        /// Whether the bytes are only the first ones of a body that is longer than the limit.
        var isCut: Bool {
            guard case .whole(_, let isCut) = content else { return false }
            return isCut
        }

        var isStreamed: Bool {
            guard case .streamed = content else { return false }
            return true
        }

        /// What reads it, whichever it is.
        var channel: any BodyChannel {
            switch content {
            case .whole(let data, _): CompleteBody(data)
            case .streamed(let channel): channel
            }
        }
    }
}
