// expect: a value in a query declares URLTextConvertible if it has one text
// expect: a value in a path must have exactly one text: convert it to a String; an enum or a struct of yours declares
import NetworkUtilities

private enum Kind: String { case newest }

private struct Tag: CustomStringConvertible { let description = "tag" }

func enumWithoutAText(url: URL) throws {
    _ = URLRequest.get(url: url).add(query: "kind", value: Kind.newest)
    _ = URLRequest.get(url: url).add(query: "tag", value: Tag())
    _ = URLRequest.get(url: url).add(query: "tag", value: Optional(Tag()))
    _ = try URLRequest.get(path: "items/\(Kind.newest)")
}
