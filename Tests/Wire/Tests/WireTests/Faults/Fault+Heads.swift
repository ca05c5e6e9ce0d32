import NetworkClient
import NetworkTestSupport

extension Fault {
    private static func answer(_ fields: String, status: String = "HTTP/1.1 200 OK") -> [any WireBytes] {
        ["\(status)\r\n\(fields)Content-Length: 2\r\n\r\nok"]
    }

    private static func bytes(_ fields: [UInt8]) -> [any WireBytes] {
        ["HTTP/1.1 200 OK\r\n", fields, "\r\nContent-Length: 2\r\n\r\nok"]
    }

    private static let ok = Outcome.answered(200, "ok")
    private static let malformed = Outcome.failed(.malformedResponse)

    /// Heads that are invalid, and valid heads of unusual servers.
    static let ofHeads = [
        Fault("another protocol", ["SSH-2.0-OpenSSH_9.2\r\n"], then: [.close], malformed),
        Fault("a body without a head", ["hello"], then: [.close], malformed),
        Fault("a status that is a word", answer("", status: "HTTP/1.1 abc OK"), malformed, spoilsConnection: true),
        Fault("a status of two digits", answer("", status: "HTTP/1.1 42 OK"), malformed, spoilsConnection: true),
        Fault("a status of four digits", answer("", status: "HTTP/1.1 2000 OK"), malformed, spoilsConnection: true),
        Fault("a version of the future", answer("", status: "HTTP/9.9 200 OK"), malformed, spoilsConnection: true),
        Fault("HTTP/1.0", answer("", status: "HTTP/1.0 200 OK"), ok),
        Fault("an empty reason", answer("", status: "HTTP/1.1 200 "), ok),
        Fault("no reason", answer("", status: "HTTP/1.1 200"), ok, except: [.isStrictWithHeaders: .outcome(malformed)]),
        Fault(
            "a reason in Latin-1",
            ["HTTP/1.1 200 ", [0xE9], "\r\nContent-Length: 2\r\n\r\nok"],
            ok,
            except: [.isStrictWithHeaders: .outcome(malformed)]
        ),
        Fault(
            "a header of 90 kB",
            answer("X-A: \(String(repeating: "x", count: 90_000))\r\n"),
            ok,
            headers: ["X-A": String(repeating: "x", count: 90_000)]
        ),
        Fault(
            "a header of 150 kB",
            answer("X-A: \(String(repeating: "x", count: 150_000))\r\n"),
            malformed,
            spoilsConnection: true
        ),
        Fault("4,900 headers", answer((0..<4_900).map { "X-\($0): v\r\n" }.joined()), ok, headers: ["X-4899": "v"]),
        Fault(
            "10,000 headers",
            answer((0..<10_000).map { "X-\($0): v\r\n" }.joined()),
            ok,
            headers: ["X-9999": "v"],
            except: [.takesFewHeaderLines: .outcome(malformed)]
        ),
        Fault(
            "a head of 2 MB",
            answer(String(repeating: "X-A: \(String(repeating: "x", count: 1_000))\r\n", count: 2_000)),
            malformed,
            spoilsConnection: true,
            except: [.mayTakeAnyHead: .either(ok)]
        ),
        Fault(
            "a value in Latin-1",
            bytes([88, 45, 65, 58, 32, 0xE9]),
            ok,
            headers: ["X-A": "é"],
            except: [.isStrictWithHeaders: .outcome(malformed)]
        ),
        Fault("a value in UTF-8", answer("X-A: é\r\n"), ok, headers: ["X-A": "é"]),
        Fault("an empty value", answer("X-A:\r\nX-B: \r\n"), ok, headers: ["X-A": "", "X-B": ""]),
        Fault(
            "a value of blanks",
            answer("X-A:  \t \r\n"),
            ok,
            headers: ["X-A": ""],
            except: [.isStrictWithHeaders: .outcome(malformed)]
        ),
        Fault(
            "blanks around a value",
            answer("X-A:  \tv\t \r\n"),
            ok,
            headers: ["X-A": "v"],
            except: [.keepsBlanksBehindValues: .headers(["X-A": "v\t "])]
        ),
        Fault(
            "no space after the colon",
            answer("X-A:v\r\n"),
            ok,
            headers: ["X-A": "v"],
            except: [.isStrictWithHeaders: .outcome(malformed)]
        ),
        Fault(
            "a space before the colon",
            answer("X-A : v\r\n"),
            ok,
            except: [.isStrictWithHeaders: .outcome(malformed)]
        ),
        Fault("no colon", answer("X-A\r\n"), malformed, except: [.crashesOnLinesWithoutColon: .theEnd]),
        Fault("no name", answer(": v\r\n"), ok, except: [.isStrictWithHeaders: .outcome(malformed)]),
        Fault(
            "LF for CR LF",
            ["HTTP/1.1 200 OK\nX-A: v\nContent-Length: 2\n\nok"],
            ok,
            headers: ["X-A": "v"],
            except: [.isStrictWithHeaders: .outcome(malformed)]
        ),
        Fault(
            "NUL in a value",
            answer("X-A: a\0b\r\n"),
            malformed,
            spoilsConnection: true,
            except: [.takesNUL: .outcome(ok)]
        ),
        Fault(
            "CR in a value",
            answer("X-A: a\rX-B: b\r\n"),
            ok,
            headers: ["X-B": "none"],
            except: [.refusesCarriageReturns: .outcome(malformed)]
        ),
        Fault(
            "a value on two lines",
            answer("X-A: a\r\n X-B: b\r\n\tc\r\n"),
            ok,
            headers: ["X-A": "a X-B: b c", "X-B": "none"]
        ),
        Fault("two fields of one name", answer("X-A: 1\r\nX-B: b\r\nX-A: 2, 3\r\n"), ok, headers: ["X-A": "1, 2, 3"]),
        Fault(
            "two cookies",
            answer("Set-Cookie: a=1; Expires=Mon, 01 Jan 2030 00:00:00 GMT\r\nSet-Cookie: b=2\r\n"),
            ok,
            headers: ["Set-Cookie": "a=1; Expires=Mon, 01 Jan 2030 00:00:00 GMT, b=2"]
        ),
        Fault(
            "one name in two spellings",
            answer("X-A: 1\r\nx-a: 2\r\nX-A: 3\r\n"),
            ok,
            headers: ["X-A": "1, 2, 3"],
            except: [.losesFieldsInOtherSpellings: .headers([:])]
        ),
    ]
}
