import Testing
@testable import Views

/// V2: templates of a project stop the mails of no other.
@Suite struct `The budget of a composition` {
    @Test func `has the bytes that it was made with`() throws {
        var budget = CompositionBudget(bytes: 10)
        try budget.spend("1234567é")
        try budget.spend("1")
        #expect(throws: CompositionError.tooLarge) { try budget.spend("1") }
    }

    @Test func `ends with its time`() {
        var budget = CompositionBudget(time: .milliseconds(20))
        #expect(throws: CompositionError.tooSlow) { while true { try budget.spend("") } }
    }
}
