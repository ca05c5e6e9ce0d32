import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SlotArrayTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func aSlotArrayHoldsTheElementsThatADictionaryWouldHold(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var array = SlotArray<Int>()
        var expected: [Int: Int] = [:]
        for number in 0..<500 {
            if let slot = expected.keys.sorted().randomElement(using: &generator), Bool.random(using: &generator) {
                array.remove(slot)
                expected[slot] = nil
            } else {
                let slot = array.add(number)
                expect(expected.updateValue(number, forKey: slot), nil)
            }
            expect(array.count, expected.count)
            expect(array.members.sorted(), expected.values.sorted())
        }
    }
}
