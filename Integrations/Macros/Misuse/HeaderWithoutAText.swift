// expect: a header field is a text, a number, a date or another value with one text
import NetworkClientMacros

@Get("/items")
struct HeaderWithoutAText {
    struct Moment: Sendable {}

    @Header var since: Moment
}
