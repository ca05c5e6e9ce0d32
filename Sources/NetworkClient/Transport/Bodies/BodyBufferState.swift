import Foundation

/// The life of a buffer: takes an event, returns what is to be done, and does nothing itself but write to its file.
struct BodyBufferState {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// What happens with bytes above the mark.
    enum Mode {
        /// The transport keeps them.
        case pausing
        /// They are taken, and the transport stops sending more.
        case signalling
        /// The transport cannot: they are put into a file that has no name.
        case spooling
    }

    /// What has become of bytes.
    enum Reception {
        case taken
        /// Taken, and no more should come until there is room.
        case filled
        /// They are for the transport to keep, until there is room.
        case refused
        /// Nobody wants them any more.
        case unwanted
    }

    /// What a reader gets.
    enum Portion {
        case bytes(Data)
        case nothing
        case end
        case failure(any Error)
    }

    /// What an event leaves to be done, after the lock is released.
    struct Actions {
        var waiter: Waiter?
        var call: (@Sendable () -> Void)?

        func perform() {
            waiter?.resume()
            call?()
        }
    }

    /// Bytes that are kept in memory, unless one portion alone has more.
    static let mark = 1 << 19

    private let mode: Mode
    private let makeSpool: @Sendable () throws -> SpoolFile
    private var bytes = Data()
    private var spool: SpoolFile?
    private var waiter: Waiter?
    private(set) var isFull = false
    private var ending: Portion?
    private var onRoom: (@Sendable () -> Void)?
    private var onCancel: (@Sendable () -> Void)?

    init(_ mode: Mode, makeSpool: @escaping @Sendable () throws -> SpoolFile) {
        self.mode = mode
        self.makeSpool = makeSpool
    }

    mutating func connect(
        onRoom: @escaping @Sendable () -> Void,
        onCancel: @escaping @Sendable () -> Void
    ) -> Actions {
        guard ending == nil else { return Actions(call: isCancelled ? onCancel : nil) }
        self.onRoom = onRoom
        self.onCancel = onCancel
        return Actions()
    }

    mutating func append(_ new: UnsafeRawBufferPointer) -> (reception: Reception, actions: Actions) {
        guard ending == nil else { return (.unwanted, Actions()) }
        switch mode {
        case .pausing where bytes.count >= Self.mark:
            isFull = true
            return (.refused, Actions())
        case .spooling where bytes.count >= Self.mark || spool?.isEmpty == false:
            do {
                if spool == nil { spool = try makeSpool() }
                try spool?.append(new)
            } catch {
                return (.unwanted, failed(error))
            }
        case .pausing, .signalling, .spooling:
            bytes.append(contentsOf: new)
        }
        if case .signalling = mode, bytes.count >= Self.mark { isFull = true }
        return (isFull ? .filled : .taken, Actions(waiter: endWait()))
    }

    mutating func finish(_ failure: (any Error)?) -> Actions {
        guard ending == nil else { return Actions() }
        ending = failure.map(Portion.failure) ?? .end
        forget()
        return Actions(waiter: endWait())
    }

    /// Drops what has come, and has the transport stop.
    mutating func cancel() -> Actions {
        failed(CancellationError())
    }

    private mutating func failed(_ error: any Error) -> Actions {
        // After the end there is nothing to be stopped, but what has not been read is dropped all the same.
        let stop = ending == nil ? onCancel : nil
        if ending == nil || !bytes.isEmpty || spool?.isEmpty == false { ending = .failure(error) }
        bytes = Data()
        spool = nil
        forget()
        return Actions(waiter: endWait(), call: stop)
    }

    mutating func take() -> (portion: Portion, actions: Actions) {
        let room = Actions(call: isFull ? onRoom : nil)
        isFull = false
        if !bytes.isEmpty {
            defer { bytes = Data() }
            return (.bytes(bytes), room)
        }
        do {
            if let portion = try spool?.next(), !portion.isEmpty { return (.bytes(portion), room) }
        } catch {
            return (.failure(error), failed(error))
        }
        return (ending ?? .nothing, room)
    }

    /// Whether there is no need to wait.
    mutating func wait(_ waiter: Waiter) -> Bool {
        self.waiter = waiter
        return ending != nil || !bytes.isEmpty || spool?.isEmpty == false
    }

    mutating func endWait() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }

    var failure: (any Error)? {
        if case .failure(let error) = ending { error } else { nil }
    }

    private var isCancelled: Bool { failure is CancellationError }

    /// What they hold may hold the buffer.
    private mutating func forget() {
        onRoom = nil
        onCancel = nil
    }
}
