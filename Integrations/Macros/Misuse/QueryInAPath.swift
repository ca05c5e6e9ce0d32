// expect: a path has no query: mark a property of the query with @Query in place of '?'
import NetworkClientMacros

@Get("/items?page=1")
struct QueryInAPath {}
