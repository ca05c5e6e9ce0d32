import Foundation
import Testing

@testable import NetworkUtilities

struct BodySourceErrorTests {
    private static let url = URL(fileURLWithPath: "/d/f.bin")

    @Test(
        arguments: [
            (.fileMissing(url: url), "there is no file '/d/f.bin'."),
            (.notARegularFile(url: url), "'/d/f.bin' is not a regular file."),
            (.fileUnreadable(url: url, code: 13), "the system refuses the file '/d/f.bin' (errno 13)."),
            (
                .fileChanged(url: url, expectedLength: 10, actualLength: 12),
                "the file '/d/f.bin' changed after the request was made (it had 10 bytes and now has 12)."
            ),
            (
                .fileChanged(url: url, expectedLength: 10, actualLength: 10),
                "the file '/d/f.bin' changed after the request was made (its content was replaced)."
            ),
            (.endedEarly(expectedLength: 10, actualLength: 7), "it ended after 7 of 10 bytes."),
            (.notReplayable, "it is a sequence that was sent before."),
            (.tooLong(expectedLength: 10), "it goes on after the 10 bytes that it was to have."),
            (.invalidLength(-1), "its source announces a length of -1 bytes."),
            (.invalidReadCount(12, capacity: 10), "its reader claims 12 bytes where 10 have room."),
        ] as [(BodySourceError, String)]
    )
    func saysWhatFailedAndWhy(error: BodySourceError, reason: String) {
        #expect(error.description == "The body cannot be read: \(reason)")
    }
}
