// expect: a path is a literal, with ':name' for the value of a @Path property
import NetworkClientMacros

private let itemsPath = "/items"

@Get(itemsPath)
struct PathThatIsNoLiteral {}
