@testable import NetworkUtilities

struct HeaderFieldsTests {
    private func merged(_ change: (inout HeaderFields) -> Void) -> [String: String] {
        var fields = HeaderFields()
        change(&fields)
        return fields.merged(defaultContentType: .json)
    }

    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(24, 25)) func addedFieldsAreJoinedUnderTheFirstSpellingAndSetOnesReplaceThem() {
        let many = (0..<500).map { (false, "X-\($0 % 250)", "\($0)" as String?) }
        let joined = Dictionary(uniqueKeysWithValues: (0..<250).map { ("X-\($0)", "\($0),\($0 + 250)") })
        let rows: [([(isSet: Bool, name: String, value: String?)], [String: String])] = [
            (
                [(false, "A", "1"), (false, "a", "2"), (false, "B", "b"), (false, "A", "3"), (false, "AB", "c")],
                ["A": "1,2,3", "B": "b", "AB": "c"]
            ),
            ([(true, "A", "1"), (false, "a", "2")], ["A": "1,2"]),
            ([(false, "A", "1"), (false, "a", "2"), (true, "a", "3")], ["a": "3"]),
            ([(true, "A", nil), (false, "a", "2"), (false, "A", "3")], ["a": "2,3"]), (many, joined),
        ]
        for (steps, expected) in rows {
            let fields = merged { fields in
                for (isSet, name, value) in steps {
                    if isSet { fields.set(field(name, value)) } else { fields.add(field(name, value)) }
                }
            }
            expect(fields, expected.merging(["Content-Type": "application/json"]) { $1 })
        }
    }

    @Test(.spec(29), arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func theContentTypeOfTheBodyIsUsedOnlyIfNoneWasSet(name: String) {
        expect(merged { _ in }, ["Content-Type": "application/json"])
        expect(merged { $0.set(field(name, "a/b")) }, [name: "a/b"])
        expect(merged { $0.add(field(name, "a/b")) }, [name: "a/b"])
        expect(merged { $0.set(field(name, nil)) }, [:])
        expect(merged { $0.add(field(name, nil)) }, ["Content-Type": "application/json"])
    }
}

struct HeaderFieldsBuilderTests {
    private enum Kind: CaseIterable { case json, xml, none }

    private let start = URLRequest.get(url: url("https://api.example.com/items"))

    private func names(@HeaderFieldsBuilder _ fields: () throws -> [HeaderField]) rethrows -> [String] {
        try fields().map(\.name)
    }

    private func field(_ name: String, _ value: String? = "1") -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(28)) func aBlockOfHeadersTakesBranchesLoopsListsAndOptionals() {
        for isOn in [true, false] {
            let names = names {
                field("A")
                if isOn { field("B") }
                if isOn { field("C") } else { field("D") }
                if #available(macOS 99, iOS 99, tvOS 99, watchOS 99, visionOS 99, *) { field("E") }
            }
            expect(names.filter { $0 != "E" }, isOn ? ["A", "B", "C"] : ["A", "D"])
        }
        let lists = Kind.allCases.map { kind in
            names {
                switch kind {
                case .json: HeaderField.accept(type: .json)
                case .xml:
                    HeaderField.accept(type: .xml)
                    field("A")
                case .none: []
                }
            }
        }
        expect(lists, [["Accept"], ["Accept", "A"], []])
        let (missing, present): (HeaderField?, HeaderField?) = (nil, field("C"))
        let loops = names {
            for name in ["A", "B"] { field(name) }
            missing
            present
            [field("D"), field("E")]
            if let present { present }
            for name in [String]() { field(name) }
        }
        expect(loops, ["A", "B", "C", "D", "E", "C"])
        expect(names {}, [])
    }

    @Test(.spec(24, 27, 28)) func aBlockOfHeadersJoinsItsFieldsAndReplacesEarlierOnes() throws {
        let joined = start.headers {
            field("X-Tag", "v1")
            HeaderField.accept(type: .json)
            for value in ["v2", "v3"] { field("x-tag", value) }
        }
        expect(joined.build().fields, ["X-Tag": "v1,v2,v3", "Accept": "application/json"])
        expect(start.headers { [field("X-A", "1"), field("X-A", "2")] }.build().fields, ["X-A": "1,2"])
        let replacing = try URLRequest.post(url: url("https://api.example.com")).bodyJson(of: [1])
            .add(header: field("X-Tag", "old")).add(header: field("X-Tag", "older")).add(header: field("X-Keep"))
            .add(header: field("X-A"))
            .headers {
                field("x-tag", "v1")
                field("x-tag", "v2")
                field("x-a", nil)
                field("X-B", nil)
                field("X-B", "b")
                HeaderField.content(type: .mergePatchJSON)
            }
        let type = "application/merge-patch+json"
        expect(replacing.build().fields, ["x-tag": "v1,v2", "X-Keep": "1", "X-B": "b", "Content-Type": type])
        let builder: URLRequest.HeaderBuilder = start
        let steps = builder.headers { field("A") }.headers { field("B") }.add(header: field("C"))
        expect(steps.build().fields, ["A": "1", "B": "1", "C": "1"])
    }

    @Test(.spec(28)) func aBlockOfHeadersRethrowsErrorsOfItsFields() throws {
        #expect(throws: HeaderFieldError.invalidRange) {
            try start.headers { try HeaderField.range(bytes: (-1)...) }
        }
        let request = try start.headers { try HeaderField.range(lastBytes: 5) }.build()
        expect(request.fields, ["Range": "bytes=-5"])
    }

    @Test(.spec(24, 25, 27)) func headerStepsAddOrReplaceAFieldWhateverTheCaseOfItsName() {
        let fields = [field("X-Tag", "v1"), field("x-tag", "v2"), field("X-None", nil)]
        let rows: [(URLRequest.HeaderBuilder, [String: String])] = [
            (start.add(header: fields[0]).add(header: fields[1]), ["X-Tag": "v1,v2"]),
            (start.add(headers: fields), ["X-Tag": "v1,v2"]),
            (start.set(header: fields[0]).set(header: fields[1]), ["x-tag": "v2"]),
            (start.set(headers: fields), ["x-tag": "v2"]),
            (start.set(header: fields[0]).set(header: field("x-tag", nil)), [:]),
        ]
        for (stage, expected) in rows { expect(stage.build().fields, expected) }
    }

    @Test(.spec(26), arguments: ["", "X A", "X\r\nEvil: 1", "X:", "é", "X\u{0}"])
    func aHeaderWhoseNameIsNotATokenIsLeftOut(name: String) {
        expect(start.add(header: field(name, "v")).build().fields, [:])
        expect(start.set(header: field(name, "v")).build().fields, [:])
        expect(start.headers { field(name, "v") }.build().fields, [:])
    }
}
