/// Objects of which each knows its place, so that one is found and removed without a hash of it.
///
/// They are in no order, and an object is in one of these at a time. Used by one at a time, and their places with it.
struct Register<Member: Registered>: Sendable {
    private(set) var members: [Member] = []

    func contains(_ member: Member) -> Bool {
        guard let place = member.place, members.indices.contains(place) else { return false }
        return members[place] === member
    }

    mutating func add(_ member: Member) {
        member.place = members.count
        members.append(member)
    }

    /// False if it is not there.
    @discardableResult
    mutating func remove(_ member: Member) -> Bool {
        guard contains(member), let place = member.place else { return false }
        member.place = nil
        let last = members.removeLast()
        if last !== member {
            members[place] = last
            last.place = place
        }
        return true
    }
}
