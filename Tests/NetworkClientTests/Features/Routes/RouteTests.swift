import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

struct RouteTests {
    private struct Probe: RoutedEndpoint {
        static var route: Route { .get(template) }
        @TaskLocal static var template = ""
        @Path var id: Int
    }

    private func target(_ template: String) throws -> String {
        try Probe.$template.withValue(template) {
            let request = try Probe(id: 7).request(from: URLRequest.builder(baseURL: url("https://h")))
            return String((request.url?.absoluteString ?? "").dropFirst("https://h".count))
        }
    }

    @Test(
        .spec(141),
        arguments: [
            ("/users/:id", "/users/7"), ("users/{id}", "/users/7"), (":id", "/7"), ("/:id.json", "/7.json"),
            ("/:id/:id", "/7/7"), ("/{id}-{id}", "/7-7"), ("/a:id/{id}", "/a:id/7"), ("/:id:activate", "/7:activate"),
            ("/::id/:id", "/:id/7"), ("/{id}/", "/7/"), ("/:id?at=/:id", "/7?at=/:id"), ("/a?b={id}", "/a?b=7"),
            ("/{id}#:id", "/7#:id"), ("/%3Aid/:id", "/%3Aid/7"), ("/a b/:id", "/a%20b/7"), ("/é/:id", "/%C3%A9/7"),
        ]
    )
    func theNamesOfATemplateAreReplaced(template: String, target: String) throws {
        expect(try self.target(template), target)
    }

    @Test(
        .spec(141),
        arguments: [
            ("/{id", "has a '{' without its '}'"), ("/id}", "has a '}' without its '{'"),
            ("/{}/:id", "has '{}', which names no property; use the name of a property, such as '{userID}'"),
            ("/:/:id", "has ':', which names no property; write '::' for a colon there"),
            ("/:1/:id", "has ':1', which names no property; write '::' for a colon there"),
            ("/{a b}/:id", "has '{a b}', which names no property; use the name of a property, such as '{userID}'"),
            ("/{{id}}", "has '{{id}', which names no property; use the name of a property, such as '{userID}'"),
        ]
    )
    func aMalformedTemplateIsAnErrorThatNamesIt(template: String, reason: String) {
        let error = #expect(throws: RouteError.self) { try target(template) }
        expect(error, RouteError(template: template, property: nil, reason: reason))
        expect(error?.localizedDescription, "The route '\(template)' cannot be used: it \(reason).")
    }

    @Test(.spec(141)) func aNameWithoutAPropertyIsAnErrorThatNamesBoth() {
        let error = #expect(throws: RouteError.self) { try target("/users/:id/posts/:postId") }
        expect(
            error?.description,
            "The route '/users/:id/posts/:postId' cannot be used: the property 'postId' is "
                + "missing: the endpoint has no @Path property of this name."
        )
    }

    @Test(.spec(141)) func aPropertyWithoutAPlaceInTheTemplateIsAnErrorThatNamesBoth() {
        let error = #expect(throws: RouteError.self) { try target("/users/:ID") }
        expect(
            error?.description,
            "The route '/users/:ID' cannot be used: the property 'id' is marked @Path, but the "
                + "template has no ':id' and no '{id}'."
        )
    }

    @Test func anEmptyTemplateIsAnErrorAndASlashTheBaseURL() throws {
        struct Empty: RoutedEndpoint { static let route: Route = .get("") }
        struct Root: RoutedEndpoint { static let route: Route = .get("/") }
        let builder = URLRequest.builder(baseURL: url("https://h"))
        #expect(throws: RequestPathError.emptyPath) { try Empty().request(from: builder) }
        expect(try Root().request(from: builder).url?.absoluteString, "https://h/")
    }
}
