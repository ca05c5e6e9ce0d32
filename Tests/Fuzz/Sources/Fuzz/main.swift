import Foundation

// Fuzz [SECONDS] [SEED]: ends with an error, and says the seed of the round, as soon as the decoders differ.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let seconds = Double(arguments.first ?? 10)
let first = arguments.dropFirst().first ?? 1
let end = Date().addingTimeInterval(seconds)
var seed = first &* 1_000_000_007
var rounds = 0
while Date() < end {
    if let difference = JSONFuzz.difference(seed: seed) {
        print(difference)
        exit(1)
    }
    seed &+= 1
    rounds += 1
}
print("\(rounds) rounds from seed \(first), no difference")
