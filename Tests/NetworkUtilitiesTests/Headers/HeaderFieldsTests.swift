import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderFieldsTests {
    private func merged(_ change: (inout HeaderFields) -> Void) -> [String: String] {
        var fields = HeaderFields()
        change(&fields)
        return fields.merged(defaultContentType: .json)
    }

    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(24, 25)) func addedFieldsAreJoinedUnderTheFirstSpelling() {
        let fields = merged { fields in
            for (name, value) in [("X-A", "1"), ("x-a", "2"), ("X-B", "b"), ("X-A", "3"), ("X-AB", "c")] {
                fields.add(field(name, value))
            }
        }
        #expect(fields == ["X-A": "1,2,3", "X-B": "b", "X-AB": "c", "Content-Type": "application/json"])
    }

    @Test(.spec(24, 25)) func aFieldIsAddedToASetOneAndReplacesAddedOnes() {
        #expect(
            merged {
                $0.set(field("A", "1")); $0.add(field("a", "2"))
            }["A"] == "1,2"
        )
        #expect(
            merged {
                $0.add(field("A", "1")); $0.add(field("a", "2")); $0.set(field("a", "3"))
            }["a"] == "3"
        )
        #expect(
            merged {
                $0.set(field("A", nil)); $0.add(field("a", "2")); $0.add(field("A", "3"))
            }["a"] == "2,3"
        )
    }

    @Test(.spec(29), arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func theContentTypeOfTheBodyIsUsedOnlyIfNoneWasSet(name: String) {
        #expect(merged { _ in } == ["Content-Type": "application/json"])
        #expect(merged { $0.set(field(name, "a/b")) } == [name: "a/b"])
        #expect(merged { $0.add(field(name, "a/b")) } == [name: "a/b"])
        #expect(merged { $0.set(field(name, nil)) } == [:])
        #expect(merged { $0.add(field(name, nil)) } == ["Content-Type": "application/json"])
    }

    @Test func manyFieldsAreJoinedByName() {
        let fields = merged { fields in
            for number in 0..<500 { fields.add(field("X-\(number % 250)", "\(number)")) }
        }
        #expect(fields.count == 251)
        #expect((0..<250).allSatisfy { fields["X-\($0)"] == "\($0),\($0 + 250)" })
    }
}

struct HeaderFieldsBuilderTests {
    private enum Kind: CaseIterable { case json, xml, none }

    private let start = URLRequest.get(url: url("https://api.example.com/items"))

    private func block(@HeaderFieldsBuilder _ fields: () throws -> [HeaderField]) rethrows -> [HeaderField] {
        try fields()
    }

    private func field(_ name: String, _ value: String? = "1") -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(28), arguments: [true, false])
    func aBlockOfHeadersTakesBranches(isOn: Bool) {
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
    private func aBlockOfHeadersTakesSwitches(kind: Kind) {
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

    @Test(.spec(28)) func aBlockOfHeadersTakesLoopsListsAndOptionals() {
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

    @Test(.spec(28)) func aBlockOfHeadersJoinsFieldsOfOneName() {
        let request = start.headers {
            field("X-Tag", "v1")
            HeaderField.accept(type: .json)
            for value in ["v2", "v3"] { field("x-tag", value) }
        }.build()
        #expect(request.allHTTPHeaderFields == ["X-Tag": "v1,v2,v3", "Accept": "application/json"])
    }

    @Test(.spec(24, 28)) func aBlockOfHeadersReplacesEarlierFields() throws {
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

    @Test(.spec(27)) func aBlockOfHeadersRemovesFieldsWithoutAValue() {
        let request = start.add(header: field("X-A")).headers {
            field("x-a", nil)
            field("X-B", nil)
            field("X-B", "b")
        }.build()
        #expect(request.allHTTPHeaderFields == ["X-B": "b"])
    }

    @Test(.spec(26), arguments: ["", "X A", "X\r\nEvil: 1", "é"])
    func aBlockOfHeadersLeavesOutInvalidNames(name: String) {
        #expect(start.headers { field(name) }.build().allHTTPHeaderFields?.isEmpty != false)
    }

    @Test(.spec(28)) func aBlockOfHeadersRethrowsErrorsOfItsFields() throws {
        #expect(throws: HeaderFieldError.invalidRange) {
            try start.headers { try HeaderField.range(bytes: (-1)...) }
        }
        let request = try start.headers { try HeaderField.range(lastBytes: 5) }.build()
        #expect(request.allHTTPHeaderFields == ["Range": "bytes=-5"])
    }

    @Test func aBlockOfHeadersJoinsAReturnedList() {
        let request = start.headers { [field("X-A", "1"), field("X-A", "2")] }.build()
        #expect(request.allHTTPHeaderFields == ["X-A": "1,2"])
    }

    @Test func aBlockOfHeadersFollowsOtherHeaderStepsAndWorksOnAProtocol() {
        let builder: URLRequest.HeaderBuilder = start
        let request = builder.headers { field("A") }.headers { field("B") }.add(header: field("C")).build()
        #expect(request.allHTTPHeaderFields?.keys.sorted() == ["A", "B", "C"])
    }
}
