import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SlotArrayTests {
    private final class Member: SlotArrayMember {
        private let state = Locked<Int?>(nil)

        var slot: Int? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aSlotArrayHoldsTheMembersThatASetWouldHold(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let members = (0..<8).map { _ in Member() }
        var array = SlotArray<Member>()
        var expected: Set<ObjectIdentifier> = []
        for _ in 0..<500 {
            guard let member = members.randomElement(using: &generator) else { continue }
            let isMember = expected.contains(ObjectIdentifier(member))
            expect(array.contains(member), isMember)
            if isMember || Bool.random(using: &generator) {
                let isRemoved = array.remove(member)
                expect(isRemoved, isMember)
                expected.remove(ObjectIdentifier(member))
            } else {
                array.add(member)
                expected.insert(ObjectIdentifier(member))
            }
            expect(array.members.count, expected.count)
            expect(Set(array.members.map(ObjectIdentifier.init)), expected)
        }
    }

    @Test func aMemberOfOneSlotArrayIsNotAMemberOfAnother() {
        var (one, other) = (SlotArray<Member>(), SlotArray<Member>())
        let (first, second) = (Member(), Member())
        one.add(first)
        other.add(second)
        let isRemovedFromOne = one.remove(second)
        #expect(!isRemovedFromOne && one.contains(first) && !one.contains(second))
        let isRemovedFromOther = other.remove(second)
        #expect(isRemovedFromOther && !other.contains(second))
    }
}
