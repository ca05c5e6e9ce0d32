import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkLogFormatter {
    /// Method and URL.
    func line(for request: URLRequest) -> String {
        let place = request.url.map(redaction.text(of:)) ?? "(no URL)"
        return PrintableText.line("\(request.httpMethod ?? "GET") \(place)")
    }

    func suffix(for attempt: Int) -> String {
        attempt > 1 ? " (attempt \(attempt))" : ""
    }

    func headerLines(_ fields: [(name: String, value: String)]) -> [String] {
        redaction.lines(of: fields, masks: headerMasks).map { "  \($0)" }
    }

    func bodyLines(of request: URLRequest) -> [String] {
        if let body = request.httpBody, !body.isEmpty {
            // The text of a compressed body is not there to be read, whatever its type says.
            let coding = request.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
            let isReadable = coding.lowercased() == "identity"
            let type = isReadable ? request.value(forHTTPHeaderField: "Content-Type") : nil
            return [bodyText(body, length: body.count, type: type)]
        }
        return request.httpBodyStream == nil ? [] : ["  <streamed body of unknown length>"]
    }

    func bodyText(_ body: Data, length: Int, type: String?) -> String {
        let type = type.map { MediaType($0) }
        return BodyRecord(body: body, length: length, type: type, redaction: redaction, limit: bodyLimit).text
    }
}
