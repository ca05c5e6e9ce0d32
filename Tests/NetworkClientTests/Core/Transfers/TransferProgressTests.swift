import NetworkTestSupport
import Testing

@testable import NetworkClient

struct TransferProgressTests {
    private func all(_ board: ProgressBoard) async -> [Int] {
        var values: [Int] = []
        for await progress in board.updates { values.append(progress.completed) }
        return values
    }

    @Test func aLateReaderGetsTheFirstAndTheLastProgress() async {
        let board = ProgressBoard()
        board.begin(total: 100_000)
        for count in stride(from: 0, through: 100_000, by: 10_000) { board.advance(to: count) }
        board.end()
        expect(await all(board), [0, 100_000])
    }

    @Test func aReaderWaitsForTheFirstProgress() async throws {
        let board = ProgressBoard()
        let task = Task { await all(board) }
        board.begin(total: nil)
        board.end()
        expect(try await withDeadline { await task.value }, [0])
    }

    @Test func aProgressMayEndWithoutABeginning() async throws {
        let board = ProgressBoard()
        board.end()
        expect(try await withDeadline { await all(board) }, [])
    }

    @Test func theProgressEndsForACancelledTask() async throws {
        let board = ProgressBoard()
        board.begin(total: nil)
        let task = Task { await all(board) }
        task.cancel()
        let values = try await withDeadline { await task.value }
        #expect(values == [] || values == [0])
    }

    @Test func theProgressNeverFalls() {
        let seen = Recorder<TransferProgress>()
        let board = ProgressBoard { seen.record($0) }
        board.begin(total: 100_000)
        board.advance(to: 50_000)
        board.advance(to: 40_000)
        board.begin(total: 100_000)
        board.advance(to: 20_000)
        board.advance(to: 100_000)
        board.end()
        board.advance(to: 200_000)
        board.end()
        expect(seen.values.map(\.completed), [0, 50_000, 50_000, 100_000])
    }

    @Test func theLastProgressIsReportedOnce() {
        let seen = Recorder<TransferProgress>()
        let board = ProgressBoard { seen.record($0) }
        board.begin(total: nil)
        board.advance(to: 10)
        expect(seen.values.count, 1)
        board.end()
        board.end()
        expect(seen.values.map(\.completed), [0, 10])
    }

    @Test(arguments: [(0, 0, 1.0), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (12, 10, 1)])
    func theProgressHasAFraction(completed: Int, total: Int, fraction: Double) {
        expect(TransferProgress(completed: completed, total: total).fraction, fraction)
        expect(TransferProgress(completed: completed, total: nil).fraction, nil)
    }
}
