// expect: a path is written with its values in it
import Foundation
import NetworkUtilities

func textAsAPath(path: String, api: URLRequest.PathBuilder) throws {
    _ = try api.get(path: path)
}
