// expect: a path has no fragment, which is never sent: write '%23' for the character '#'
import NetworkClientMacros

@Get("/items#first")
struct FragmentInAPath {}
