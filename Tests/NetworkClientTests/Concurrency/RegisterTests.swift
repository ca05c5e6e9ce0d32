import NetworkTestSupport
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

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aRegisterHoldsWhatASetWouldHold(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let members = (0..<8).map { _ in Member() }
        var register = Register<Member>()
        var expected: Set<ObjectIdentifier> = []
        for _ in 0..<500 {
            guard let member = members.randomElement(using: &generator) else { continue }
            let isMember = expected.contains(ObjectIdentifier(member))
            #expect(register.contains(member) == isMember)
            if isMember || Bool.random(using: &generator) {
                let isRemoved = register.remove(member)
                #expect(isRemoved == isMember)
                expected.remove(ObjectIdentifier(member))
            } else {
                register.add(member)
                expected.insert(ObjectIdentifier(member))
            }
            #expect(register.members.count == expected.count)
            #expect(Set(register.members.map(ObjectIdentifier.init)) == expected)
        }
    }

    @Test func aMemberOfOneRegisterIsNotAMemberOfAnother() {
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
