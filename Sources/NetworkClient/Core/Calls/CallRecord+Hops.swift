extension CallRecord {
    /// One request that was passed to the transport; the request of a redirect is a hop too.
    struct Hop: Sendable {
        let record: CallRecord
        /// The request, for the log; nil if nothing is logged.
        let request: URLRequest?
        let attempt: Int
        /// The last attempt before this hop whose request a server may have performed.
        let earlier: Int
        let start: Double

        /// Records that the response was received.
        ///
        /// A response with a streamed body is logged when the body ends, or at once if the caller reads the body after
        /// the call. A request whose credential was refused counts as not performed.
        func responded(
            _ response: TransportResponse,
            refusesCredential: Bool,
            isReadByTheCaller: Bool
        ) -> TransportResponse {
            if refusesCredential { record.notPerformed(self) }
            guard let log = record.log else { return response }
            guard response.body.isStreamed else {
                logged(response.head, response.body.data)
                return response
            }
            if isReadByTheCaller { logged(response.head, Data()) }
            let body = RecordedBody(
                response.body.channel,
                of: response.head,
                in: self,
                isLogged: isReadByTheCaller,
                keepsBytes: log.logger.responseLevel.contains(.body)
            )
            return TransportResponse(head: response.head, body: .streamed(body))
        }

        /// Records that the response is missing or incomplete.
        func failed(_ error: any Error) {
            if (error as? TransportError)?.showsThatNothingWasSent == true { record.notPerformed(self) }
            record.failed(self, error)
        }

        /// Reports a response to the log.
        ///
        /// If `data` is only the beginning of the body, `length` is the size of the whole body in bytes.
        fileprivate func logged(_ head: ResponseHead, _ data: Data, length: Int? = nil) {
            guard let request else { return }
            let stage = NetworkLogEvent.Stage.received(response: head.responseSoFar, data: data)
            record.log?.report(request, stage, attempt: attempt, since: start, length: length)
        }
    }

    /// A streamed body that records its end or its failure in its hop.
    private final class RecordedBody: BodyChannel {
        private struct State {
            var isLogged: Bool
            var hasFailed = false
            var beginning = Data()
            var length = 0
        }

        /// The maximum number of bytes that are kept for a logger that shows bodies.
        private static var limit: Int { 1 << 20 }

        private let wrapped: any BodyChannel
        private let head: ResponseHead
        private let hop: Hop
        private let keepsBytes: Bool
        private let state: Locked<State>

        init(
            _ wrapped: any BodyChannel,
            of head: ResponseHead,
            in hop: Hop,
            isLogged: Bool,
            keepsBytes: Bool
        ) {
            self.wrapped = wrapped
            self.head = head
            self.hop = hop
            self.keepsBytes = keepsBytes
            state = Locked(State(isLogged: isLogged))
        }

        deinit {
            end()
        }

        func next() async throws -> Data? {
            do {
                let chunk = try await wrapped.next()
                if let chunk { note(chunk) } else { end() }
                return chunk
            } catch {
                fail(error)
                throw error
            }
        }

        func cancel() {
            wrapped.cancel()
            end()
        }

        private func note(_ chunk: Data) {
            state.withLock { state in
                state.length += chunk.count
                guard keepsBytes else { return }
                state.beginning.append(chunk.prefix(max(0, Self.limit - state.beginning.count)))
            }
        }

        private func end() {
            let (isFirst, beginning, length) = state.withLock { state in
                defer { state.isLogged = true }
                return (!state.isLogged, state.beginning, state.length)
            }
            if isFirst { hop.logged(head, beginning, length: length) }
        }

        /// Logs a failure even if the head was logged before, but a cancellation only if nothing was logged.
        private func fail(_ error: any Error) {
            let isNews = state.withLock { state in
                defer { (state.isLogged, state.hasFailed) = (true, true) }
                return !state.hasFailed && !(state.isLogged && error is CancellationError)
            }
            if isNews { hop.failed(error) }
        }
    }
}
