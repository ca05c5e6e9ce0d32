import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of an answer with what Foundation's class has no place for.
///
/// It is how `Response` and interceptors know fields and metrics, and how `NetworkClient.Error.getError()` knows the
/// client's decoder: the types that carry it are fixed, and callers hold it long after the call. All that it adds is
/// immutable, so the superclass's unchecked promise holds for it too.
final class ReceivedResponse: HTTPURLResponse, @unchecked Sendable {
    /// The fields as they came; nil if only Foundation's form of them is known.
    let knownFields: ResponseFields?
    let knownMetrics: TransportMetrics?
    /// The decoder of the call; nil for an answer that was accepted.
    let decoder: (any DecoderProtocol)?
    /// The call that did not accept the response; nil for one that was accepted.
    let call: CallMark?

    init?(url: URL, status: Int, fields: ResponseFields, metrics: TransportMetrics?) {
        knownFields = fields
        knownMetrics = metrics
        decoder = nil
        call = nil
        super.init(url: url, statusCode: status, httpVersion: nil, headerFields: fields.joined)
    }

    /// The same head with more known about it.
    init?(
        _ response: HTTPURLResponse,
        metrics: TransportMetrics?,
        decoder: (any DecoderProtocol)? = nil,
        call: CallMark? = nil
    ) {
        guard let url = response.url else { return nil }
        let received = response as? ReceivedResponse
        knownFields = received?.knownFields
        knownMetrics = metrics ?? received?.knownMetrics
        self.decoder = decoder
        self.call = call
        let names = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            fields["\(field.key)"] = "\(field.value)"
        }
        super.init(url: url, statusCode: response.statusCode, httpVersion: nil, headerFields: names)
    }

    required init?(coder: NSCoder) {
        nil
    }
}

/// Tells the responses of one call from those of others, by its identity.
final class CallMark: Sendable {}
