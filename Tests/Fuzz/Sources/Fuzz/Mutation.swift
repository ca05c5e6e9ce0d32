/// Changes inputs at random, for toolchains without libFuzzer.
enum Mutation {
    static func mutated(
        _ input: [UInt8],
        with other: [UInt8],
        _ random: inout SeededGenerator
    ) -> [UInt8] {
        var input = input
        let place = Int.random(in: 0...input.count, using: &random)
        let end = min(input.count, place + Int.random(in: 0...8, using: &random))
        let start = Int.random(in: 0...other.count, using: &random)
        let part = other[start..<min(other.count, start + Int.random(in: 0...24, using: &random))]
        switch Int.random(in: 0..<7, using: &random) {
        case 0: input.insert(contentsOf: part, at: place)
        case 1: input.replaceSubrange(place..<end, with: part)
        case 2: input.removeSubrange(place..<end)
        case 3: input.insert(contentsOf: input[place..<end], at: Int.random(in: 0...input.count, using: &random))
        case 4: if place < input.count { input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 5: if place < input.count { input[place] = UInt8.random(in: 0...255, using: &random) }
        default: input.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
        return input
    }
}
