// expect: a path is written with its values in it
import Foundation
import NetworkUtilities

func textAsAPathOfABareVerb(path: String) throws {
    let request: URLRequest.QueryBuilder = try .get(path: "/items/" + path)
    _ = request
    _ = try URLRequest.delete(path: "/items/" + path)
}
