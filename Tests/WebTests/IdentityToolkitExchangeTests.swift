import Testing
@testable import Web

@Suite struct `An exchange` {
    /// `RECORD=1` rewrites the files; the diff is the review.
    @Test(arguments: Exchange.all) func `goes as recorded`(_ exchange: Exchange) async throws {
        let response = try await exchange.play()
        if Exchange.isRecording { try exchange.record(response) } else { #expect(response == exchange.response) }
    }

    @Test(arguments: Set(IdentityToolkit.routes.map(\.label.name)).sorted())
    func `is recorded for each method of the route table`(_ label: String) {
        #expect(Exchange.all.contains { $0.folderName == label })
    }

    @Test(arguments: Exchange.all) func `is in the folder of its method`(_ exchange: Exchange) {
        #expect(exchange.folderName == exchange.route?.label.name ?? "requests")
    }
}
