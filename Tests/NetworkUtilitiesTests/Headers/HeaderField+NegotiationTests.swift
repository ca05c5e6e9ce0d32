import Foundation
import Testing

@testable import NetworkUtilities

struct HeaderFieldNegotiationTests {
    @Test func listsTheTypesWithTheirWeights() {
        let field = HeaderField.accept(types: [.json, .xml.weighted(0.8), .any.weighted(0.1)])
        #expect(field.name == "Accept")
        #expect(field.value == "application/json, application/xml;q=0.8, */*;q=0.1")
        #expect(HeaderField.accept(types: [.json]).value == "application/json")
    }

    @Test(arguments: [[], [MediaType("")], [MediaType("\r\n"), MediaType(" ")]])
    func leavesTheFieldOutWithoutTypes(types: [MediaType]) {
        #expect(HeaderField.accept(types: types).value == nil)
    }

    @Test(arguments: [
        (["el-GR", "en", "*"], "el-GR, en;q=0.9, *;q=0.8"), (["el"], "el"), ([], nil), (["", "é"], nil),
        (["en_US", "el", "de\r\nX: 1", "fr"], "el, fr;q=0.9"), (["zh-Hant-TW", "es-419"], "zh-Hant-TW, es-419;q=0.9"),
        (["abcdefgh-12345678"], "abcdefgh-12345678"), (["abcdefghi"], nil), (["a-abcdefghi"], nil), (["1a"], nil),
        (["en-"], nil), (["-en"], nil), (["en--us"], nil), (["*-CH"], nil), (["en;q=1"], nil), (["en,el"], nil),
        (["e n"], nil), (["**"], nil), (["-"], nil),
    ])
    func weighsLanguagesByTheirOrder(ranges: [String], value: String?) {
        let field = HeaderField.languages(ranges)
        #expect(field.name == "Accept-Language")
        #expect(field.value == value)
    }

    @Test func neverWeighsALanguageBelowATenth() {
        let field = HeaderField.languages(Array(repeating: "el", count: 14))
        let weights = (1...9).map { "el;q=0.\(10 - $0)" } + Array(repeating: "el;q=0.1", count: 4)
        #expect(field.value == (["el"] + weights).joined(separator: ", "))
    }

    @Test func takesTheLanguagesOfTheSystem() throws {
        let languages = Locale.preferredLanguages
        let value = try #require(HeaderField.languages(languages).value)
        #expect(value.hasPrefix(try #require(languages.first)))
        #expect(value.split(separator: ",").count == languages.count)
    }
}
