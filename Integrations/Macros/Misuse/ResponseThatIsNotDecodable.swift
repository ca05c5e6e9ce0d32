// expect: argument type 'Substring' does not conform to expected type 'Decodable'
import NetworkClientMacros

@Get("/items", of: Substring.self)
struct ResponseThatIsNotDecodable {}
