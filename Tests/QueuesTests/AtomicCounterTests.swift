import Queues
import Testing

@Suite struct `A tally` {
    @Test func `loses no addition of any thread`() async {
        let tally = AtomicCounter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { tally.add() } }
                group.addTask { for _ in 0..<10_000 { tally.add(-2) } }
            }
        }
        #expect(tally.value == -80_000)
        tally.set(7)
        #expect(tally.value == 7)
    }
}
