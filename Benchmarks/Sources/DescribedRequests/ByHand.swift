import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests as one writes them with Foundation alone, with care but without tricks.
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

    /// Query items do the escaping; the plus sign is the one that they leave and a form may not.
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
