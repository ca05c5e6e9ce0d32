// expect: "GE T" is no method
// expect: 'X Y' is no field name
// expect: a path has no scheme and no host
import NetworkClientMacros

@Method("GE T", "/items")
struct NamesThatCannotBeSent {
    @Header("X Y") var name: String
}

@Get("https://api.example.com/items")
struct PathWithAHost {}
