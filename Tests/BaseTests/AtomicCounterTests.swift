import Base
import Testing

@Suite struct `An atomic counter` {
    @Test func `counts the additions of all threads`() async {
        let counter = AtomicCounter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { counter.add() } }
                group.addTask { for _ in 0..<10_000 { counter.add(-2) } }
            }
        }
        #expect(counter.value == -80_000)
        counter.set(7)
        #expect(counter.value == 7)
    }
}
