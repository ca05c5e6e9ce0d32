import Foundation
import NetworkUtilities

/// The way a request is described.
public enum RequestAuthor: String, CaseIterable, Sendable {
    /// The library's builder.
    case builder

    /// Handwritten code with Foundation alone.
    case hand
}

/// The requests as users of the library write them.
enum ByBuilder {
    static func query() -> URLRequest {
        URLRequest.build()
            .get(url: Input.url)
            .add(query: "q", value: Input.search)
            .add(query: "lang", value: Input.language)
            .add(query: "page", value: String(Input.page))
            .set(header: .accept(type: .json))
            .set(header: .authorization(.bearer(Input.token)))
            .build()
    }

    static func json() throws -> URLRequest {
        try URLRequest.build()
            .post(url: Input.url)
            .bodyJson(of: Input.item)
            .build()
    }

    static func form() throws -> URLRequest {
        try URLRequest.build()
            .post(url: Input.url)
            .bodyForm(params: [
                "name": Input.name, "city": Input.city, "page": Input.page, "active": true, "note": Input.note,
            ])
            .build()
    }

    static func multipart() -> URLRequest {
        URLRequest.build()
            .post(url: Input.url)
            .bodyMultipart { form in
                form.add(key: "description", value: Input.note)
                form.add(key: "file", value: Input.picture, filename: "picture.jpg", type: MediaType("image/jpeg"))
            }
            .build()
    }
}

/// The requests as careful, plain code with Foundation alone.
enum ByHand {
    private static let encoder = JSONEncoder()

    static func query() throws -> URLRequest {
        guard var components = URLComponents(url: Input.url, resolvingAgainstBaseURL: false) else {
            throw URLError(.badURL)
        }
        components.queryItems = [
            URLQueryItem(name: "q", value: Input.search),
            URLQueryItem(name: "lang", value: Input.language),
            URLQueryItem(name: "page", value: String(Input.page)),
        ]
        guard let url = components.url else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("Bearer \(Input.token)", forHTTPHeaderField: "Authorization")
        return request
    }

    static func json() throws -> URLRequest {
        var request = URLRequest(url: Input.url)
        request.httpMethod = "POST"
        request.httpBody = try encoder.encode(Input.item)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    /// `URLQueryItem` escapes everything that a form must escape, except the plus sign.
    static func form() throws -> URLRequest {
        let fields = [
            "name": Input.name, "city": Input.city, "page": String(Input.page), "active": "true", "note": Input.note,
        ]
        var components = URLComponents()
        components.queryItems = fields.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        let query = components.percentEncodedQuery ?? ""
        var request = URLRequest(url: Input.url)
        request.httpMethod = "POST"
        request.httpBody = Data(query.replacingOccurrences(of: "+", with: "%2B").utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        return request
    }

    static func multipart() -> URLRequest {
        let boundary = UUID().uuidString
        var body = Data()
        body.append(Data("--\(boundary)\r\n".utf8))
        body.append(Data("Content-Disposition: form-data; name=\"description\"\r\n\r\n".utf8))
        body.append(Data("\(Input.note)\r\n".utf8))
        body.append(Data("--\(boundary)\r\n".utf8))
        body.append(Data("Content-Disposition: form-data; name=\"file\"; filename=\"picture.jpg\"\r\n".utf8))
        body.append(Data("Content-Type: image/jpeg\r\n\r\n".utf8))
        body.append(Input.picture)
        body.append(Data("\r\n--\(boundary)--\r\n".utf8))
        var request = URLRequest(url: Input.url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("multipart/form-data; boundary=\(boundary)", forHTTPHeaderField: "Content-Type")
        return request
    }
}

/// The values in the requests, the same for all authors.
///
/// The reserved characters are the ones that Foundation's query items escape as well, so that all authors write the
/// same escapes.
enum Input {
    static let url = URL(string: "https://api.example.com/v1/items") ?? URL(fileURLWithPath: "/")
    static let token = "0123456789abcdef0123456789abcdef"
    static let search = "hello world & more"
    static let language = "el-GR"
    static let page = 2
    static let name = "Ada Lovelace"
    static let city = "Αθήνα"
    static let note = "a & b = c"
    static let item = Item(id: 17, name: "Ada Lovelace", price: 19.5, isActive: true, tags: ["x", "y"])
    static let picture = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    struct Item: Codable, Sendable {
        let id: Int
        let name: String
        let price: Double
        let isActive: Bool
        let tags: [String]
    }
}
