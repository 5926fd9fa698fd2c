import Base
import Testing

@Suite struct `A bounded cache` {
    private let capacity = 10
    private let moment = Uptime(.seconds(1_000))

    @Test func `computes a value once, and never holds more than its capacity`() {
        let cache = BoundedCache<Int, Int>(capacity: 3)
        for key in 0..<100 {
            #expect(cache[key, or: key * 2] == key * 2 && cache[key, or: 0] == key * 2)
            #expect(cache.count <= 3)
        }
    }

    @Test func `keeps values in use while others come`() {
        let cache = BoundedCache<Int, String>(capacity: capacity)
        cache.add("used", of: -1)
        for key in 0..<1_000 {
            cache.add("new", of: key)
            #expect(cache[-1] == "used" && cache[key] == "new" && cache.count <= capacity)
        }
        #expect(cache[0] == nil)
    }

    @Test func `forgets a value after its lifetime, even if it is used`() {
        let cache = BoundedCache<Int, String>(capacity: capacity, lifetime: .seconds(60))
        cache.add("old", of: 1, at: moment)
        for second in 0..<60 {
            cache.add("new", of: 2, at: moment + .seconds(second))
            #expect(cache[1, at: moment + .seconds(second)] == "old")
        }
        #expect(cache[1, at: moment + .seconds(60)] == nil && cache[2, at: moment + .seconds(60)] == "new")
        #expect(cache[1, at: moment + .seconds(60), or: "computed"] == "computed")
    }

    @Test func `drops what has ended when values are added`() {
        let cache = BoundedCache<Int, String>(capacity: capacity, lifetime: .seconds(60))
        for key in 0..<3 { cache.add("old", of: key, at: moment) }
        for minute in 1...2 { cache.add("new", of: 9, at: moment + .minutes(minute)) }
        #expect(cache.count == 1)
    }

    @Test func `replaces a value, in whichever generation it was`() {
        let cache = BoundedCache<Int, Int>(capacity: capacity)
        for key in 0..<6 { cache.add(0, of: key) }
        for key in 0..<6 { cache.add(1, of: key) }
        for key in 1..<6 { #expect(cache[key] ?? 1 == 1) }
        #expect(cache[5] == 1 && cache.count <= capacity)
    }
}
