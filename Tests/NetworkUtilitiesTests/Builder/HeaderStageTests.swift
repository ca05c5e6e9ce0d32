import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderStageTests {
    private let start = URLRequest.get(url: url("https://api.example.com/items"))

    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

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
