import Foundation
import NetworkUtilities
import Testing

@testable import AWSSignature

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct AWSSignatureTests {
    private func signer(
        service: String = "service",
        token: String? = nil,
        signsDigest: Bool = true,
        path: CanonicalPath? = nil
    ) -> AWSSigner {
        AWSSigner(
            key: AWSKey(id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: token),
            region: "us-east-1",
            service: service,
            // The date of all vectors: 2015-08-30, 12:36:00.
            now: { Date(timeIntervalSince1970: 1_440_938_160) },
            signsDigest: signsDigest,
            path: path
        )
    }

    private func request(_ target: String, method: String = "GET") throws -> URLRequest {
        var text = ""
        for byte in target.utf8 {
            text +=
                byte > 0x20 && byte < 0x7F ? "\(Unicode.Scalar(byte))" : "%" + String(byte, radix: 16, uppercase: true)
        }
        var request = URLRequest(url: try #require(URL(string: "https://example.amazonaws.com" + text)))
        request.httpMethod = method
        return request
    }

    private func value(of name: String, in fields: [HeaderField]) throws -> String {
        try #require(fields.first { $0.name == name }?.value)
    }

    @Test(arguments: Vector.all) func theSignatureIsThePublishedOne(vector: Vector) throws {
        var request = try request(vector.target, method: vector.method)
        for (name, value) in vector.fields {
            // A folded line is sent as one (RFC 9112 §5.2).
            request.addValue(value.replacingOccurrences(of: "\n", with: " "), forHTTPHeaderField: name)
        }
        if !vector.body.isEmpty { request.httpBody = Data(vector.body.utf8) }
        // The suite's paths are not encoded yet, so they are encoded once.
        let path = CanonicalPath(isNormalized: vector.isNormalized, isEncodedAgain: false)
        let signer = signer(token: vector.token, signsDigest: vector.signsDigest, path: path)
        let signed = try value(of: "Authorization", in: signer.sign(request))
        #expect(signed.hasSuffix("Signature=\(vector.signature)"), "\(signed)")
    }

    /// The digest is that of the example "PUT Object" in the documentation of S3's signatures.
    @Test func theDigestOfABodyIsSent() throws {
        var request = try request("/test%24file.text", method: "PUT")
        request.httpBody = Data("Welcome to Amazon S3.".utf8)
        let digest = try value(of: "X-Amz-Content-Sha256", in: signer(service: "s3").sign(request))
        #expect(digest == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
    }

    @Test(arguments: [
        ("s3", "/a%20b//c", "/a%20b//c"), ("s3", "/a:b@c", "/a%3Ab%40c"), ("s3", "", "/"),
        ("execute-api", "/a%20b//c", "/a%2520b/c"), ("execute-api", "/a:b", "/a%253Ab"),
    ])
    func thePathIsSignedAsTheServiceReadsIt(service: String, path: String, canonical: String) throws {
        let isPlain = service == "s3"
        let rule = CanonicalPath(isNormalized: !isPlain, isEncodedAgain: !isPlain)
        #expect(rule.text(of: path) == canonical)
        let signed = try signer(service: service).sign(request(path))
        #expect(try signed == signer(service: service, path: rule).sign(request(path)))
    }

    @Test(arguments: [
        ("b=2&a=%E9&a=1", "a=%E9&a=1&b=2"), ("a+b=c%2fd", "a%2Bb=c%2Fd"), ("flag", "flag="), ("a=%2", "a=%252"),
    ])
    func theQueryIsSortedAndEncodedOnce(query: String, canonical: String) {
        #expect(CanonicalQuery.text(of: query) == canonical)
    }

    @Test(arguments: [
        ("https://a.example:443/", "https://a.example/", true), ("http://a.example:80/", "http://a.example/", true),
        ("https://a.example:8443/", "https://a.example/", false), ("https://[::1]/", "https://[::1]:443/", true),
    ])
    func thePortIsSignedUnlessItIsTheUsualOne(one: String, other: String, isSame: Bool) throws {
        func signed(_ text: String) throws -> [HeaderField] {
            try signer().sign(URLRequest(url: try #require(URL(string: text))))
        }
        #expect(try (signed(one) == signed(other)) == isSame)
    }

    @Test func theHostOfTheRequestIsSigned() throws {
        var custom = try request("/")
        custom.setValue("b.example", forHTTPHeaderField: "Host")
        let other = URLRequest(url: try #require(URL(string: "https://b.example/")))
        #expect(try signer().sign(custom) == signer().sign(other))
    }

    @Test func noTextOfAKeyHasItsSecret() {
        let key = AWSKey(id: "ID", secret: "s3cret", sessionToken: "t0ken")
        var text = "\(key)"
        dump(key, to: &text)
        #expect(text.contains("ID") && !text.contains("s3cret") && !text.contains("t0ken"))
    }

    @Test func aStreamThatIsReadOnceIsRefused() throws {
        var request = try request("/", method: "PUT")
        request.httpBodyStream = InputStream(data: Data("tea".utf8))
        #expect(throws: AWSSigner.Failure.self) { try signer().sign(request) }
    }
}
