import Testing

@testable import NetworkUtilities

struct FormNamesTests {
    @Test(arguments: [0, 1, 16, 17, 500]) func findsEveryName(count: Int) {
        var names = FormNames()
        for index in 0..<count {
            #expect(names.position(of: "n\(index)") == nil)
            names.append("n\(index)")
        }
        #expect(names.all == (0..<count).map { "n\($0)" })
        for index in 0..<count { #expect(names.position(of: "n\(index)") == index) }
    }
}
