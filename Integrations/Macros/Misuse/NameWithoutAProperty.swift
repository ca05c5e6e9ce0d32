// expect: ':id' in the path has no property: add '@Path var id: String'
import NetworkClientMacros

@Get("/users/:id")
struct NameWithoutAProperty {}
