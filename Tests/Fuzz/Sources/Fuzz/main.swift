import Foundation

// Fuzz [SECONDS] [SEED] [TARGET]: gives each target, or one, its share of the seconds. Ends with an error, and says the
// target and the input, as soon as an input has shown a fault. With `--list`, names the targets.
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--list" {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(0)
}
let numbers = arguments.compactMap { UInt64($0) }
let seed = numbers.dropFirst().first ?? 1
let names = arguments.filter { UInt64($0) == nil }
let targets = FuzzTarget.all.filter { names.isEmpty || names.contains($0.name) }
guard !targets.isEmpty else {
    print("There is no target \(names.joined(separator: ", ")); --list names them.")
    exit(2)
}
let share = max(1, Double(numbers.first ?? 60) / Double(targets.count))
for target in targets {
    print(try Campaign(target: target, seconds: share, seed: seed).run())
}
