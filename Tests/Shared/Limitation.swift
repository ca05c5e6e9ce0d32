#if os(Linux)
import NetworkTestSupport

@testable import NetworkClient
#endif

/// A limitation of a transport, and the fact that causes it.
struct Limitation: Hashable, Sendable, CustomStringConvertible {
    /// The fact, and where it was measured.
    let description: String

    init(_ fact: String) {
        description = fact
    }
}

extension Limitation {
    static let crashesOnAPartialHead = Limitation(
        "LINUX.md K5: a connection that is closed inside the head of a response ends the process"
    )

    static let dropsTrailers = Limitation("URLSession: trailers are read and dropped")
    static let crashesOnTrailers = Limitation("LINUX.md K6: a chunked response with trailers ends the process")

    static let reachesNoIPv6Literal = Limitation("LINUX.md §1: an IPv6 literal is taken for a bad URL")

    static let isStrictWithHeaders = Limitation(
        "LINUX.md §1: the response fails with a header line that has no space after its colon, a value of blanks only, "
            + "a byte that is no UTF-8, or a line end without CR, and with a status line that has no reason"
    )

    static let hasOneQueueForAll = Limitation(
        "LINUX.md K17: all sessions of the process share one queue, which a gibibyte would keep from all other tests"
    )

    static let keepsBlanksBehindValues = Limitation("LINUX.md §10: white space behind a header value stays")

    static let losesFieldsInOtherSpellings = Limitation(
        "LINUX.md §10: of fields whose names differ in their letter case some are lost"
    )

    static let dropsBodiesOfRedirects = Limitation(
        "LINUX.md §1: a redirect that leads nowhere comes without its body"
    )

    static let hearsOfHeadsLate = Limitation(
        "LINUX.md §2: a head is handed over when its body may have come, and the connection be free, already"
    )

    static let gathersBodiesOfRedirects = Limitation(
        "NativeProtocol.swift, didReceive(data:): the body of a redirect is gathered in memory, of any length, before "
            + "the redirect is handed over"
    )

    static let takesPartsOfCompressedBodies = Limitation(
        "LINUX.md §1: libcurl does not notice that compressed content breaks off where its stated length ends"
    )

    static let cannotMakeTheServerWait = Limitation(
        "LINUX.md K4: a task that is suspended and goes on sends its request again, so the rest goes to a file"
    )

    static let knowsFewWordsForNoCoding = Limitation(
        "libcurl knows `identity` and `none`, and takes any other word for a coding that it cannot undo"
    )

    static let takesOneMemberForAll = Limitation(
        "libcurl takes a second member of compressed content (RFC 1952 §2.2) for bytes that do not belong there"
    )

    static let undoesSeveralCodings = Limitation("libcurl undoes up to five codings of a body, one after the other")

    static let takesAnswersNobodyAskedFor = Limitation(
        "libcurl 7.88 does not look whether something came over an idle connection before it uses that again"
    )

    static let sendsBodilessRequestsAgain = Limitation(
        "LINUX.md K12: libcurl sends a request again by itself when its connection was dead, whatever its method; "
            + "without a body there is no stream for it to ask for"
    )

    static let sendsNothingWhileABodyIsMade = Limitation(
        "LINUX.md K17: a stream that waits holds up all sessions, so that a sequence is gathered before it is sent"
    )

    static let joinsFieldsOfOneName = Limitation(
        "LINUX.md §10: fields of one name are joined by commas, so that two locations cannot be told from one"
    )

    static let decodesPartsOfCodedBodies = Limitation(
        "LINUX.md §1: content codings are always undone, also those of a part (206), which mostly fails"
    )

    static let opensNoSockets = Limitation(
        "URLSession of swift.org's toolchains for Linux has no WebSockets: its libcurl was built without them"
    )

    #if canImport(FoundationNetworking)
    static let ofURLSession: Set<Limitation> = ofURLSessionOnLibcurl.union([
        .crashesOnAPartialHead, .crashesOnTrailers, .reachesNoIPv6Literal, .isStrictWithHeaders,
        .hasOneQueueForAll, .keepsBlanksBehindValues, .losesFieldsInOtherSpellings, .dropsBodiesOfRedirects,
        .hearsOfHeadsLate, .gathersBodiesOfRedirects, .cannotMakeTheServerWait,
        .takesAnswersNobodyAskedFor, .takesPartsOfCompressedBodies, .takesOneMemberForAll, .undoesSeveralCodings,
        .knowsFewWordsForNoCoding, .opensNoSockets,
        .sendsBodilessRequestsAgain, .sendsNothingWhileABodyIsMade, .joinsFieldsOfOneName, .decodesPartsOfCodedBodies,
    ])
    #else
    static let ofURLSession: Set<Limitation> = [
        .sendsNothingWhileABodyIsMade, .joinsFieldsOfOneName, .decodesPartsOfCodedBodies, .dropsTrailers,
    ]
    #endif

    #if os(Linux)
    static let ofCurl: Set<Limitation> = ofLibcurl
    #endif
}

extension Limitation {
    static let takesFewHeaderLines = Limitation("libcurl 8.14 and later fail a head of more than 5,000 lines")

    static let refusesTwoLocations = Limitation("libcurl 8.17 and later fail a head with two different locations")

    static let mayLoseRequestsOverClosedConnections = Limitation(
        "from 8.22 on, libcurl looks at a kept connection once a second, and sends over one that was closed since then"
    )

    static let mayLoseRequestsOverResetConnections = Limitation(
        "libcurl 8.14 and later do not always send a request again when a kept connection is reset after its body: "
            + "on 8.14.1, one upload in fifteen when four run at a time"
    )

    static let findsNoAuthorities = Limitation(
        "URLSession fails all TLS without a reason if a libcurl later than 8.4 lacks its file of authorities, as one "
            + "that was built for another system does"
    )

    static let refusesCarriageReturns = Limitation("libcurl 8.21 and later fail a head that has a CR in a line")

    static let writesEscapesInUpperCase = Limitation("libcurl 8.20 and later send %2f in a path as %2F")

    static let mayTakeAnyHead = Limitation(
        "libcurl before 8.3 has no limit for all lines of a head together, unless the distribution has added one"
    )

    static let crashesOnLinesWithoutColon = Limitation(
        "libcurl before 7.83 passes lines without a colon on to URLSession, in which they end the process"
    )

    static let undoesBrotli = Limitation("a libcurl that was built with Brotli undoes it, whatever it contains")

    static let takesNUL = Limitation("libcurl before 7.83 passes values with NUL on")

    static let mayTakeUnknownTransferCodings = Limitation(
        "libcurl 8.1 to 8.13 may give a body of an unknown transfer coding as it is"
    )

    #if os(Linux)
    /// The limitations of the loaded version of libcurl, for every transport.
    static let ofLibcurl: Set<Limitation> = {
        var all: Set<Limitation> = []
        if !LoadedLibcurl.isOlder(than: 8, 14) { all.insert(.takesFewHeaderLines) }
        if !LoadedLibcurl.isOlder(than: 8, 17) { all.insert(.refusesTwoLocations) }
        if !LoadedLibcurl.isOlder(than: 8, 21) { all.insert(.refusesCarriageReturns) }
        return all
    }()

    /// The limitations of libcurl that CurlTransport avoids by its own checks.
    static let ofURLSessionOnLibcurl: Set<Limitation> = {
        var all = ofLibcurl
        if !LoadedLibcurl.isOlder(than: 8, 14) { all.insert(.mayLoseRequestsOverResetConnections) }
        if LoadedLibcurl.hasBrotli { all.insert(.undoesBrotli) }
        if !LoadedLibcurl.isOlder(than: 8, 5), SystemTrust().file != nil { all.insert(.findsNoAuthorities) }
        if !LoadedLibcurl.isOlder(than: 8, 20) { all.insert(.writesEscapesInUpperCase) }
        if !LoadedLibcurl.isOlder(than: 8, 22) { all.insert(.mayLoseRequestsOverClosedConnections) }
        if !LoadedLibcurl.isOlder(than: 8, 1), LoadedLibcurl.isOlder(than: 8, 14) {
            all.insert(.mayTakeUnknownTransferCodings)
        }
        if LoadedLibcurl.isOlder(than: 8, 3) { all.insert(.mayTakeAnyHead) }
        if LoadedLibcurl.isOlder(than: 7, 83) { all.formUnion([.crashesOnLinesWithoutColon, .takesNUL]) }
        return all
    }()
    #endif
}
