import BenchmarkHarness

/// The variants and the numbers of concurrent requests that the command line selects.
struct RequestSelection {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    /// Returns the chosen variants, in the order of `all`.
    func variants(of all: [RequestVariant]) throws -> [RequestVariant] {
        guard let names = options.settings["variants"]?.split(separator: ",") else { return all }
        let chosen = all.filter { variant in names.contains { variant.name.contains($0) } }
        if chosen.isEmpty { throw UsageError("no variant's name contains this text; the names are \(all.map(\.name))") }
        return chosen
    }

    /// Returns the chosen numbers, or `all`.
    func concurrency(_ all: [Int]) throws -> [Int] {
        guard let list = options.settings["concurrency"] else { return all }
        return try list.split(separator: ",").map { text in
            guard let number = Int(text), number > 0 else {
                throw UsageError("'\(text)' isn't a valid number of requests")
            }
            return number
        }
    }
}
