import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

/// The bodies of routed endpoints.
struct RoutedEndpointBodyTests {
    private let base = URLRequest.builder(baseURL: url("https://api.example.com/v1"))

    @Test(.spec(34, 42, 43)) func aBodyPropertyIsSentByItsType() throws {
        let json = try CreateUser(body: .init(name: "John", age: 30)).request(from: base)
        expect(json.httpBody, Data(#"{"age":30,"name":"John"}"#.utf8))
        expect(json.value(forHTTPHeaderField: "Content-Type"), "application/json")
        let data = try UploadData(body: Data([1, 2, 3])).request(from: base)
        expect(data.httpBody, Data([1, 2, 3]))
        expect(data.value(forHTTPHeaderField: "Content-Type"), "application/octet-stream")
        let text = try UploadText(body: "é").request(from: base)
        expect(text.httpBody, Data("é".utf8))
        expect(text.value(forHTTPHeaderField: "Content-Type"), "text/plain; charset=utf-8")
        let custom = try UploadCustom(body: Custom(text: "Hello, World!")).request(from: base)
        expect(custom.httpBody, Data("Hello, World!".utf8))
        expect(custom.value(forHTTPHeaderField: "Content-Type"), "text/x-custom")
    }

    @Test(.spec(41, 44, 50)) func aComputedBodyIsSentByItsType() throws {
        let login = try Login(login: "L", password: "P").request(from: base)
        expect(login.httpBody, Data(#"{"login":"L","password":"P"}"#.utf8))
        let form = try LoginForm(login: "a b").request(from: base)
        expect(form.httpBody, Data("login=a+b".utf8))
        expect(form.value(forHTTPHeaderField: "Content-Type"), "application/x-www-form-urlencoded")
        let upload = Upload(fileData: Data("x".utf8), fileName: "photo.jpg", description: "My vacation photo")
        let multipart = try upload.request(from: base)
        expect(multipart.value(forHTTPHeaderField: "Content-Type"), upload.body.mediaType?.value)
        expect(multipart.httpBody?.starts(with: Data("--\(upload.body.boundary.text)".utf8)), true)
    }

    @Test(.spec(34)) func anEndpointMayHaveItsOwnEncodersAndValuesOfSeveralTypes() throws {
        let request = try Snake(body: ["userName": "a", "page": 1, "none": Int?.none]).request(from: base)
        expect(request.httpBody, Data(#"{"page":1,"userName":"a"}"#.utf8))
        expect(request.cachePolicy, .reloadIgnoringLocalCacheData)
        let user = try SnakeUser(body: .init(firstName: "a")).request(from: base)
        expect(user.httpBody, Data(#"{"first_name":"a"}"#.utf8))
        expect(user.cachePolicy, .useProtocolCachePolicy)
    }

    @Test func aBodyMayBeANestedTypeOfTheNameOfTheMark() throws {
        let request = try Rename(id: 1, body: .init(name: "a")).request(from: base)
        expect(request.httpBody, Data(#"{"name":"a"}"#.utf8))
        expect(request.url, url("https://api.example.com/v1/users/1"))
    }

    @Test(.spec(46)) func aMarkedPropertyIsTheBodyAndNilSendsNone() throws {
        let user = try DeleteUsers(users: ["a"]).request(from: base)
        expect(user.httpMethod, "DELETE")
        expect(user.httpBody, Data(#"["a"]"#.utf8))
        let none = try DeleteUsers(users: nil).request(from: base)
        expect(none.httpBody, nil)
        expect(none.value(forHTTPHeaderField: "Content-Type"), nil)
        expect(try OptionalBody(body: nil).request(from: base).httpBody, nil)
        expect(try OptionalBody(body: .some(.none)).request(from: base).httpBody, nil)
        expect(try OptionalBody(body: "x").request(from: base).httpBody, Data("x".utf8))
        expect(try MarkedBody(body: 4).request(from: base).httpBody, Data("4".utf8))
    }

    @Test(.spec(36)) func aBodyThatCannotBeEncodedIsAnError() {
        #expect(throws: BodyEncodingError.self) { try MarkedBody(body: .infinity).request(from: base) }
        let error = #expect(throws: RouteError.self) { try Opaque(body: Opaque.Closure()).request(from: base) }
        expect(error?.property, "body")
        expect(
            error?.description,
            "The route '/opaque' cannot be used: the property 'body' is of the type Closure, "
                + "which is neither Encodable nor a RequestBody."
        )
    }
}

private struct CreateUser: RoutedEndpoint {
    struct Body: Encodable {
        let name: String
        let age: Int
    }

    static let route: Route = .post("/users")
    let body: Body
}

private struct Snake: RoutedEndpoint {
    static let route: Route = .post("/users")
    static var encoders: URLRequestBuilderOptions? { SnakeUser.encoders }
    static var cachePolicy: URLRequest.CachePolicy? { .reloadIgnoringLocalCacheData }
    let body: [String: any Sendable]
}

private struct SnakeUser: RoutedEndpoint {
    struct Body: Encodable {
        let firstName: String
    }

    static let route: Route = .post("/users")
    static var encoders: URLRequestBuilderOptions? {
        URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
    }
    let body: Body
}

private struct UploadData: RoutedEndpoint {
    static let route: Route = .post("/upload")
    let body: Data
}

private struct UploadText: RoutedEndpoint {
    static let route: Route = .post("/upload")
    let body: String
}

private struct Custom: RequestBody {
    let text: String
    var mediaType: MediaType? { MediaType("text/x-custom") }
    func makeContent() -> RequestContent { .data(Data(text.utf8)) }
}

private struct UploadCustom: RoutedEndpoint {
    static let route: Route = .post("/custom")
    let body: Custom
}

private struct Login: RoutedEndpoint {
    static let route: Route = .post("/login")
    let login: String
    let password: String
    var body: some Encodable & Sendable { ["login": login, "password": password] }
}

private struct LoginForm: RoutedEndpoint {
    static let route: Route = .post("/login")
    let login: String
    var body: URLEncodedForm { get throws { try URLEncodedForm(of: ["login": login]) } }
}

private struct Upload: RoutedEndpoint {
    static let route: Route = .post("/upload")
    let body: MultipartForm

    init(fileData: Data, fileName: String, description: String) {
        body = MultipartForm {
            MultipartPart(name: "file", data: fileData, filename: fileName, type: .jpeg)
            MultipartPart(name: "description", text: description)
        }
    }
}

private struct DeleteUsers: RoutedEndpoint {
    static let route: Route = .delete("/users")
    @Body var users: [String]?
}

private struct OptionalBody: RoutedEndpoint {
    static let route: Route = .post("/a")
    let body: String??
}

private struct MarkedBody: RoutedEndpoint {
    static let route: Route = .post("/a")
    @Body var body: Double
}

private struct Rename: RoutedEndpoint {
    struct Body: Encodable, Sendable { let name: String }
    static let route: Route = .patch("/users/:id")
    @Path var id: Int
    let body: Body
}

private struct Opaque: RoutedEndpoint {
    struct Closure: Sendable {}
    static let route: Route = .post("/opaque")
    let body: Closure
}
