import Testing

@testable import NetworkClient

struct RegisterTests {
    private final class Member: Registered {
        private let state = Locked<Int?>(nil)

        var place: Int? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test func knowsItsMembers() {
        var register = Register<Member>()
        let members = (0..<5).map { _ in Member() }
        for member in members {
            let (isThere, isRemoved) = (register.contains(member), register.remove(member))
            #expect(!isThere && !isRemoved)
        }
        for member in members { register.add(member) }
        #expect(members.allSatisfy { register.contains($0) })
        #expect(register.members.count == 5)
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]])
    func losesThoseThatAreRemovedInAnyOrder(order: [Int]) {
        var register = Register<Member>()
        var left = (0..<4).map { _ in Member() }
        let members = left
        for member in members { register.add(member) }
        for index in order {
            let (isRemoved, isRemovedAgain) = (register.remove(members[index]), register.remove(members[index]))
            #expect(isRemoved && !isRemovedAgain)
            left.removeAll { $0 === members[index] }
            #expect(Set(register.members.map(ObjectIdentifier.init)) == Set(left.map(ObjectIdentifier.init)))
            #expect(left.allSatisfy { register.contains($0) })
        }
    }

    @Test func isNotTakenInByAPlaceInAnother() {
        var (one, other) = (Register<Member>(), Register<Member>())
        let (first, second) = (Member(), Member())
        one.add(first)
        other.add(second)
        let isRemovedFromOne = one.remove(second)
        #expect(!isRemovedFromOne && one.contains(first) && !one.contains(second))
        let isRemovedFromOther = other.remove(second)
        #expect(isRemovedFromOther && !other.contains(second))
    }
}
