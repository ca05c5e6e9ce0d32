/// An unordered set in which each member stores its index, for removal in constant time without hashing.
///
/// A member is in at most one array at a time. The owner serialises access to the array and to the slots of its
/// members.
struct SlotArray<Member: SlotArrayMember>: Sendable {
    private(set) var members: [Member] = []

    func contains(_ member: Member) -> Bool {
        guard let slot = member.slot, members.indices.contains(slot) else { return false }
        return members[slot].isSame(as: member)
    }

    mutating func add(_ member: Member) {
        member.slot = members.count
        members.append(member)
    }

    /// Removes a member; returns false if the array does not contain it.
    @discardableResult
    mutating func remove(_ member: Member) -> Bool {
        guard contains(member), let slot = member.slot else { return false }
        member.slot = nil
        let last = members.removeLast()
        if !last.isSame(as: member) {
            members[slot] = last
            last.slot = slot
        }
        return true
    }
}

/// A member of a ``SlotArray``.
protocol SlotArrayMember: Sendable {
    /// The index in the array; nil if the member is in no array. Only the array sets it.
    var slot: Int? { get nonmutating set }

    func isSame(as other: Self) -> Bool
}

extension SlotArrayMember where Self: AnyObject {
    func isSame(as other: Self) -> Bool { self === other }
}
