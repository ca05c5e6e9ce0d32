/// Lets one task wait for another; a signal that comes first is not lost.
final class RoomSignal: Sendable {
    private let state = Locked<(isSignalled: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))

    func signal() {
        let waiter = state.withLock { state in
            defer { state = (state.waiter == nil, nil) }
            return state.waiter
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let isSignalled = state.withLock { state in
                guard state.isSignalled else {
                    state.waiter = waiter
                    return false
                }
                state.isSignalled = false
                return true
            }
            if isSignalled { waiter.resume() }
        }
    }
}
