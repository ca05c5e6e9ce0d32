import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct WebLinkTests {
    /// A field, the link `next` that is read from it, and whether all of the field is a list of links.
    ///
    /// The cases are those of RFC 8288 §3.5, of got's `parse-link-header` and of Octokit's `paginate`.
    private static let fields: [(field: String, next: String?, isComplete: Bool)] = [
        ("", nil, true),
        (" , ,", nil, true),
        (#"<https://a.example/?page=2>; rel="next""#, "https://a.example/?page=2", true),
        (#"<https://a.example/2>;rel="next",<https://a.example/9>;rel="last""#, "https://a.example/2", true),
        (#"<https://a.example/1>; rel="prev", <https://a.example/3>; rel="next""#, "https://a.example/3", true),
        (#"<https://a.example/3>; rel="prev next""#, "https://a.example/3", true),
        (#"<https://a.example/3>; rel="prev NEXT  index""#, "https://a.example/3", true),
        ("</3>; rel=next", "/3", true),
        ("</3> ; REL = Next ; title = x", "/3", true),
        (#"</3>; rel="nextpage", </4>; rel="http://example.net/next""#, nil, true),
        (#"</3>; title="rel=next, or </4>; rel=next"; rel=last"#, nil, true),
        (#"</3>; title="a \"b\", <c>"; rel=next"#, "/3", true),
        (#"</3>; title="ends with a \\"; rel=next, </4>; rel=last"#, "/3", true),
        (#"</3>; title="it never ends; rel=next"#, nil, false),
        (#"</3>; title=5"; rel=next"#, nil, false), ("</2> rel=next", nil, false),
        (#"</3>; rel="next"; title="it never ends"#, "/3", false),
        (#"</3>; rel=last; rel=next"#, nil, true),
        (#"</one,two;three>; rel="next""#, "/one,two;three", true),
        ("< /3 >; rel=next", "/3", true),
        (#"<>; rel="next""#, "", true),
        (#"<#top>; rel=next; anchor="/other""#, nil, true),
        ("</2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel,\t</4>; rel=\"next\"", "/4", true),
        ("</3>", nil, true),
        ("</3>; rel", nil, true),
        (#"https://a.example; rel="next""#, nil, false),
        (#"<https://a.example; rel="next""#, nil, false),
        (#"<https://a.example, </3>; rel="next""#, nil, false),
        (#"</3>; rel="next", and more"#, "/3", false),
    ]

    @Test func theLinkToTheNextPageIsRead() {
        for (field, next, isComplete) in Self.fields {
            let (links, isWhole) = WebLink.links(in: field)
            expect(links.first { $0.has("next") && !$0.hasAnchor }?.target, next, field)
            expect(isWhole, isComplete, field)
        }
    }

    @Test func aFieldOfManyLinksTakesLinearTime() {
        let field = String(repeating: #"</aaaaaaaaaaaaaaaaaaaa>; title="a,b"; rel="prev", "#, count: 20_000)
        expect(WebLink.links(in: field).links.count, 20_000)
        expect(WebLink.links(in: String(repeating: "<", count: 1 << 20)).isComplete, false)
        expect(WebLink.links(in: "</>;" + String(repeating: "\"", count: 1 << 20)).links.count, 1)
    }

    private func response(_ fields: [String]) -> NetworkClient.Response<Void> {
        let all = ResponseFields(fields.map { .init(name: "link", value: $0) })
        let head = ReceivedResponse(url: url("https://h/list/?page=1"), status: 200, fields: all, metrics: nil)
        return NetworkClient.Response(item: (), httpResponse: head ?? .made())
    }

    @Test func aResponseGivesTheTargetsOfItsLinks() throws {
        let links = response([#"<?page=2>; rel="next""#, "</list/?page=9>; rel=LAST, <//other/>; rel=author"])
        expect(try links.link("next")?.absoluteString, "https://h/list/?page=2")
        expect(try links.link("last")?.absoluteString, "https://h/list/?page=9")
        expect(try links.link("author")?.absoluteString, "https://other/")
        expect(try links.link("prev"), nil)
        expect(try response([]).link("next"), nil)
    }

    @Test func aFieldWithoutTheLinkThatCannotBeReadIsAnError() throws {
        expect(try response(["garbage", "</2>; rel=next"]).link("next")?.path, "/2")
        let unreadable = response(["/2; rel=next; token=secret"])
        let error = #expect(throws: NetworkClient.Error.self) { try unreadable.link("next") }
        expect(error?.reason, .malformedResponse)
        expect(error?.description, contains: "a Link field of the response has a part that is not a link")
        expect(error?.description.contains("secret"), false)
        #expect(throws: NetworkClient.Error.self) { try response(["<http://[>; rel=next"]).link("next") }
    }
}
