import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests as the library's users write them.
enum ByBuilder {
    static func query() -> URLRequest {
        URLRequest.build()
            .get(url: Input.url)
            .add(query: "q", value: Input.search)
            .add(query: "lang", value: Input.language)
            .add(query: "page", value: String(Input.page))
            .set(header: .accept(type: .json))
            .set(header: .authorisation(.bearer(Input.token)))
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
