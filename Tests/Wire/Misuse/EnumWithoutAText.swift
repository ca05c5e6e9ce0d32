// expect: an enum has a text in a URL if it conforms to URLTextConvertible
// expect: a value in a path must have exactly one text: convert it to a String; an enum or a struct of yours declares
import NetworkUtilities

private enum Kind: String { case newest }

func enumWithoutAText(url: URL) throws {
    _ = URLRequest.get(url: url).add(query: "kind", value: Kind.newest)
    _ = try URLRequest.get(path: "items/\(Kind.newest)")
}
