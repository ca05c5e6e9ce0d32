/// An unordered set in which each member stores its index, for removal in constant time without hashing.
///
/// A member is in at most one register at a time. Access to a register, and to the places of its members, must be
/// serialised by the owner.
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

    /// Removes a member; returns false if the register does not contain it.
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

/// A member of a ``Register``.
protocol Registered: AnyObject, Sendable {
    /// The index in the register; nil if the object is in none. Only the register sets it.
    var place: Int? { get set }
}
