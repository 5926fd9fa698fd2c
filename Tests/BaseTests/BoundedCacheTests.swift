import Base
import Testing

@Suite struct `A bounded cache` {
    @Test func `computes a value once, and never holds more than its capacity`() {
        let cache = BoundedCache<Int, Int>(capacity: 3)
        for key in 0..<100 {
            #expect(cache[key, or: key * 2] == key * 2 && cache[key, or: 0] == key * 2)
            #expect(cache.count <= 3)
        }
    }
}
