import Testing

@Suite struct `An exchange` {
    /// Firebase's refusals by name, and one good answer at least of each method. `RECORD=1` rewrites the files.
    @Test(arguments: Exchange.all) func `goes as recorded`(_ exchange: Exchange) async throws {
        let response = try await exchange.play()
        if Exchange.isRecording { try exchange.record(response) } else { #expect(response == exchange.response) }
    }

    @Test func `is recorded at all`() { #expect(Exchange.all.count > 60) }
}
