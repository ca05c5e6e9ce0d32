/// An answer that is not the server's.
struct UnexpectedAnswer: Error {}
