import Foundation
import Testing

@testable import NetworkClient

struct CookieSameSiteTests {
    @Test(arguments: [
        ("Strict", Cookie.SameSite.strict), ("lax", .lax), ("NONE", .none), ("", .default), ("Loose", .default),
    ])
    func isReadWhateverItsCase(text: String, sameSite: Cookie.SameSite) {
        #expect(SetCookie("a=1; SameSite=\(text)")?.sameSite == sameSite)
    }

    @Test func isAWordInJSON() throws {
        let data = try JSONEncoder().encode([Cookie.SameSite.lax, .init(rawValue: "Other")])
        #expect(String(decoding: data, as: UTF8.self) == #"["Lax","Other"]"#)
        #expect(try JSONDecoder().decode([Cookie.SameSite].self, from: data).first == .lax)
    }
}
