/// The settings of one call that differ from the client's configuration; nil keeps the client's setting.
///
/// ```swift
/// let cached: NetworkClient.Response<Data> = try await client.fetch(
///     request: request,
///     options: CallOptions(acceptedStatuses: .successful.and(304), idleTimeout: 5)
/// )
/// ```
public struct CallOptions: Sendable {
    /// The statuses that are not errors.
    public var acceptedStatuses: AcceptedStatuses?

    /// The decoder for the response, and for the body of an error.
    public var decoder: (any DecoderProtocol)?

    /// Changes the decoder of the call, such as the client's, and keeps its strategies.
    ///
    /// ```swift
    /// let options = CallOptions { $0.decoding = { $0.unwrapping("user") } }
    /// ```
    public var decoding: (@Sendable (any DecoderProtocol) -> any DecoderProtocol)?

    /// The mapper of the errors of this call, which runs before the client's mapper.
    ///
    /// The client's mapper gets the errors that this mapper leaves unchanged: with `[404: BookNotFound(id: id)]`, all
    /// errors except status 404.
    public var errorMapper: ResponseErrorMapper?

    /// The number of seconds, more than 0, that may pass without a byte in either direction; takes precedence over the
    /// request's `timeoutInterval`.
    public var idleTimeout: TimeInterval?

    /// The maximum number of seconds, more than 0, that each attempt may take, with its redirects and its body, also
    /// that of a stream, a download or an upload.
    ///
    /// Overrides the client's ``NetworkClient/Configuration/attemptTimeout`` and its
    /// ``InterceptorProtocol/waitTimeout(_:)``, which the standard stack contains; infinity removes both.
    public var attemptTimeout: TimeInterval?

    /// The maximum number of seconds for the call, from its beginning, including its attempts, the waits between them
    /// and the body of a stream, a download or an upload; 0 or less sends nothing.
    ///
    /// It holds with and without interceptors, and overrides the client's ``DeadlineInterceptor``, whose limit is for
    /// waiting; infinity removes that one, and nil keeps it.
    public var deadline: TimeInterval?

    /// The redirects that are followed.
    public var redirects: RedirectPolicy?

    /// The maximum number of bytes in the body of an accepted response, after content decoding, also of a stream, of
    /// each response of a download, and of each connection of an event stream.
    ///
    /// The body of an error is cut at this limit; if this is nil, the body of an error of a `stream` is cut after 1 MiB
    /// and one second. The limit does not apply to the body of a redirect.
    ///
    /// Overrides ``NetworkClient/Configuration/bodyLimit`` and ``NetworkClient/Configuration/decodingLimit``.
    public var bodyLimit: Int?

    /// Whether content codings such as gzip are decoded; false for a gateway, which passes on bytes and fields as they
    /// were sent, coded as its own client asked for with `Accept-Encoding`.
    ///
    /// `URLSessionTransport` always decodes, and asks for `identity` instead. Such a call never shares its exchange.
    public var decodesBody = true

    /// Called in order with the progress of receiving the body of a `fetch` or an `upload`, every few kilobytes.
    ///
    /// A download has its own progress, and a stream is read by its caller: both ignore this closure.
    /// It runs where the bytes are received, so it must not block. A call with this closure is never shared.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// Changes the decoder of the call last, as the format of an endpoint needs it, whatever decoder the call has.
    var formatDecoding: (@Sendable (any DecoderProtocol) -> any DecoderProtocol)?

    /// Whether the body is decoded to a value other than its bytes or its text.
    var isDecoded = false

    /// The calls that this one continues, such as those for earlier pages of a list; nil for none.
    var series: CallSeries?

    /// The logger of this call; `.off` logs nothing.
    ///
    /// A call with its own logger never shares its exchange.
    public var logging: (any NetworkLogger)?

    /// A name of the call for its journey, its log, its report and its span, such as `getUser`; nil for none.
    ///
    /// Use one of few names, without values of the call: a name is neither masked nor sent. Control characters become
    /// escapes.
    public var label: String?

    private(set) var values = CallOptionValues()

    /// The value for an interceptor, such as the policy of ``RetryInterceptor``.
    public subscript<Key: CallOptionKey>(key: Key.Type) -> Key.Value {
        get { values[key] ?? key.defaultValue }
        set { values[key] = newValue }
    }

    /// Creates options without any setting.
    public init() {}

    /// Creates options with a closure that sets them, including the options of interceptors.
    ///
    /// ```swift
    /// let once = CallOptions { $0.retry = .never }
    /// ```
    public init(_ change: (inout CallOptions) -> Void) {
        self.init()
        change(&self)
    }

    /// Returns the decoder of a call to a client that has the given one.
    func decoder(insteadOf decoder: any DecoderProtocol) -> any DecoderProtocol {
        let decoder = self.decoder ?? decoder
        let changed = decoding?(decoder) ?? decoder
        return formatDecoding?(changed) ?? changed
    }

    /// Whether no option is set.
    var isEmpty: Bool {
        acceptedStatuses == nil && decoder == nil && decoding == nil && formatDecoding == nil && errorMapper == nil
            && idleTimeout == nil && attemptTimeout == nil && deadline == nil && redirects == nil && bodyLimit == nil
            && series == nil
            && decodesBody && progress == nil && logging == nil && label == nil && values.isEmpty
    }

    /// Returns these options, except where others are set; both mappers map errors, the other one first.
    func overridden(by others: CallOptions) -> CallOptions {
        var options = self
        options.acceptedStatuses = others.acceptedStatuses ?? acceptedStatuses
        // A decoder of the call is complete: no earlier change applies to it.
        options.decoding = others.decoding ?? (others.decoder == nil ? decoding : nil)
        options.decoder = others.decoder ?? decoder
        options.formatDecoding = others.formatDecoding ?? formatDecoding
        if let mapper = others.errorMapper { options.errorMapper = errorMapper.map(mapper.followed) ?? mapper }
        options.idleTimeout = others.idleTimeout ?? idleTimeout
        options.attemptTimeout = others.attemptTimeout ?? attemptTimeout
        options.deadline = others.deadline ?? deadline
        options.redirects = others.redirects ?? redirects
        options.bodyLimit = others.bodyLimit ?? bodyLimit
        options.series = others.series ?? series
        options.decodesBody = others.decodesBody && decodesBody
        options.progress = others.progress ?? progress
        options.logging = others.logging ?? logging
        options.label = others.label ?? label
        options.values.override(with: others.values)
        return options
    }
}

/// A key of a value that a caller gives to an interceptor with ``CallOptions``.
///
/// An interceptor reads the value whenever it is called, also if the call does not need it: ``CallJourney`` names what
/// none has read, by the name of the type without its ending `Key`.
///
/// ```swift
/// enum Priority: CallOptionKey {
///     static let defaultValue = 0
/// }
///
/// var options = CallOptions()
/// options[Priority.self] = 7
/// ```
public protocol CallOptionKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value for a call whose options don't set one.
    static var defaultValue: Value { get }

    /// Returns whether a call without an interceptor that reads the value does what it asks for, such as not to retry;
    /// false by default.
    static func isMet(_ value: Value) -> Bool

    /// Throws an error if a request that has passed all interceptors must not be sent with the value; by default it is
    /// sent.
    static func check(_ value: Value, sending request: URLRequest, in context: RequestContext) throws
}

extension CallOptionKey {
    /// False: the value asks for something.
    public static func isMet(_ value: Value) -> Bool { false }

    /// Does nothing.
    public static func check(_ value: Value, sending request: URLRequest, in context: RequestContext) throws {}

    fileprivate static func isMet(_ value: any Sendable) -> Bool { (value as? Value).map { isMet($0) } ?? true }

    fileprivate static func check(_ value: any Sendable, _ request: URLRequest, _ context: RequestContext) throws {
        if let value = value as? Value { try check(value, sending: request, in: context) }
    }
}

/// Values by the type of their key.
struct CallOptionValues: Sendable {
    private struct Entry: Sendable {
        let key: any CallOptionKey.Type
        var value: any Sendable

        /// The name of the option: that of the key without its ending, `retry` for `RetryKey`.
        var name: String {
            let name = "\(key)"
            let stem = name.hasSuffix("Key") && name != "Key" ? name.dropLast(3) : name[...]
            return stem.prefix(1).lowercased() + stem.dropFirst()
        }
    }

    /// Which entries an interceptor has read.
    struct Reads: Sendable {
        private var indices: UInt64 = 0

        func contains(_ index: Int) -> Bool { index >= UInt64.bitWidth || indices & (1 << index) != 0 }

        mutating func insert(_ index: Int) { indices |= 1 << index }
    }

    private var entries: [Entry] = []

    subscript<Key: CallOptionKey>(key: Key.Type) -> Key.Value? {
        get { index(of: key).flatMap { entries[$0].value as? Key.Value } }
        set { set(Entry(key: key, value: newValue)) }
    }

    var isEmpty: Bool { entries.isEmpty }

    func index(of key: any CallOptionKey.Type) -> Int? { entries.firstIndex { $0.key == key } }

    private mutating func set(_ entry: Entry) {
        if let index = index(of: entry.key) { entries[index] = entry } else { entries.append(entry) }
    }

    mutating func override(with others: CallOptionValues) {
        for entry in others.entries { set(entry) }
    }

    /// The names of the options that ask for something, and that no interceptor has read.
    func unread(_ reads: Reads) -> [String] {
        entries.indices.filter { index in
            !reads.contains(index) && !entries[index].key.isMet(entries[index].value)
        }
        .map { entries[$0].name }
    }

    /// Throws an error if an option demands that a request which has passed all interceptors is not sent.
    func check(_ request: URLRequest, in context: RequestContext) throws {
        for entry in entries {
            try entry.key.check(entry.value, request, context)
        }
    }
}

/// The values that the calls of one iterator share, such as the person whose token the first call has.
final class CallSeries: Sendable {
    private struct State {
        /// The values that interceptors keep for all calls.
        var values: [ObjectIdentifier: any Sendable] = [:]
        var hasLeftOrigin = false
    }

    private let state = Locked(State())

    /// Whether another origin has led to the next request: no credential is sent, neither the request's nor one of an
    /// interceptor.
    var hasLeftOrigin: Bool { state.withLock { $0.hasLeftOrigin } }

    func leaveOrigin() { state.withLock { $0.hasLeftOrigin = true } }

    func kept(for key: ObjectIdentifier) -> (any Sendable)? { state.withLock { $0.values[key] } }

    /// Keeps a value unless the key has one already.
    func keep(_ value: any Sendable, for key: ObjectIdentifier) {
        state.withLock { state in
            if state.values[key] == nil { state.values[key] = value }
        }
    }
}
