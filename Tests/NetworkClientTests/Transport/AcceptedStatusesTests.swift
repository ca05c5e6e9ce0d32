import NetworkClient
import Testing

struct AcceptedStatusesTests {
    @Test(
        arguments: [
            [200, 404], [.ok, .notFound], [200, .notFound], AcceptedStatuses(200...200).and(404),
            AcceptedStatuses(200...200).and(.notFound),
        ] as [AcceptedStatuses]
    )
    func statusesAreNamedOrNumbers(statuses: AcceptedStatuses) {
        #expect(statuses.contains(200) && statuses.contains(.notFound))
        #expect(!statuses.contains(201) && !statuses.contains(.internalServerError))
    }
}
