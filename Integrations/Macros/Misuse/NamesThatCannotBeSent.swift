// expect: "GE T" isn't a valid method
// expect: 'X Y' isn't a valid field name
// expect: a path has no scheme and no host
import NetworkClientMacros

@Method("GE T", "/items")
struct NamesThatCannotBeSent {
    @Header("X Y") var name: String
}

@Get("https://api.example.com/items")
struct PathWithAHost {}
