import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct DefaultLogStreamTests {
    @Test func marksARecordAsInformationUnlessTold() {
        let stream = RecordingStream()
        (stream as any LogStream).log("hello")
        #expect(stream.records == [.init(message: "hello", type: .info)])
    }
}
