import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HeaderFieldsBuilderTests {
    private enum Kind: CaseIterable { case json, xml, none }

    private let start = URLRequest.get(url: url("https://api.example.com/items"))

    private func block(@HeaderFieldsBuilder _ fields: () throws -> [HeaderField]) rethrows -> [HeaderField] {
        try fields()
    }

    private func field(_ name: String, _ value: String? = "1") -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(28), arguments: [true, false])
    func takesBranches(isOn: Bool) {
        let fields = block {
            field("A")
            if isOn { field("B") }
            if isOn { field("C") } else { field("D") }
            if #available(macOS 99, iOS 99, tvOS 99, watchOS 99, visionOS 99, *) { field("E") }
        }
        let names = fields.map(\.name).filter { $0 != "E" }
        #expect(names == (isOn ? ["A", "B", "C"] : ["A", "D"]))
    }

    @Test(.spec(28), arguments: Kind.allCases)
    private func takesSwitches(kind: Kind) {
        let fields = block {
            switch kind {
            case .json: HeaderField.accept(type: .json)
            case .xml:
                HeaderField.accept(type: .xml)
                field("A")
            case .none: []
            }
        }
        #expect(fields.count == [Kind.json: 1, .xml: 2, .none: 0][kind])
    }

    @Test(.spec(28)) func takesLoopsListsAndOptionals() {
        let (missing, present): (HeaderField?, HeaderField?) = (nil, field("C"))
        let fields = block {
            for name in ["A", "B"] { field(name) }
            missing
            present
            [field("D"), field("E")]
            if let present { present }
            for name in [String]() { field(name) }
        }
        #expect(fields.map(\.name) == ["A", "B", "C", "D", "E", "C"])
        #expect(block {}.isEmpty)
    }

    @Test(.spec(28)) func losesNoneOfTwoWithOneName() {
        let request = start.headers {
            field("X-Tag", "v1")
            HeaderField.accept(type: .json)
            for value in ["v2", "v3"] { field("x-tag", value) }
        }.build()
        #expect(request.allHTTPHeaderFields == ["X-Tag": "v1,v2,v3", "Accept": "application/json"])
    }

    @Test(.spec(24, 28)) func replacesWhatWasThereBefore() throws {
        let request = try URLRequest.post(url: url("https://api.example.com")).bodyJson(of: [1])
            .add(header: field("X-Tag", "old")).add(header: field("X-Tag", "older")).add(header: field("X-Keep"))
            .headers {
                field("x-tag", "v1")
                field("x-tag", "v2")
                HeaderField.content(type: .mergePatchJSON)
            }
            .build()
        let fields = ["x-tag": "v1,v2", "X-Keep": "1", "Content-Type": "application/merge-patch+json"]
        #expect(request.allHTTPHeaderFields == fields)
    }

    @Test(.spec(27)) func removesWithoutAValue() {
        let request = start.add(header: field("X-A")).headers {
            field("x-a", nil)
            field("X-B", nil)
            field("X-B", "b")
        }.build()
        #expect(request.allHTTPHeaderFields == ["X-B": "b"])
    }

    @Test(.spec(26), arguments: ["", "X A", "X\r\nEvil: 1", "é"])
    func leavesOutANameThatIsNoToken(name: String) {
        #expect(start.headers { field(name) }.build().allHTTPHeaderFields?.isEmpty != false)
    }

    @Test(.spec(28)) func passesOnWhatAFieldThrows() throws {
        #expect(throws: HeaderFieldError.invalidRange) {
            try start.headers { try HeaderField.range(bytes: (-1)...) }
        }
        let request = try start.headers { try HeaderField.range(lastBytes: 5) }.build()
        #expect(request.allHTTPHeaderFields == ["Range": "bytes=-5"])
    }

    @Test func joinsTheFieldsOfAListThatIsReturned() {
        let request = start.headers { [field("X-A", "1"), field("X-A", "2")] }.build()
        #expect(request.allHTTPHeaderFields == ["X-A": "1,2"])
    }

    @Test func standsAfterOtherHeadersAndBehindAProtocol() {
        let builder: URLRequest.HeaderBuilder = start
        let request = builder.headers { field("A") }.headers { field("B") }.add(header: field("C")).build()
        #expect(request.allHTTPHeaderFields?.keys.sorted() == ["A", "B", "C"])
    }
}
