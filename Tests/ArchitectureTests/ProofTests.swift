import Testing

/// The models in `Proof`, whose comments name the functions that they abstract, with their files.
@Suite struct `The models of the core` {
    @Test func `name functions that exist`() throws {
        let sources = try Source.all(in: "Sources")
        let models = try Source.all(in: "Proof", endings: ["pml"])
        #expect(models.count == 3)
        for model in models {
            let text = model.text.replacing(/\n \* ?/, with: " ").replacing("\n", with: " ")
            let mentions = text.matches(of: /([A-Za-z+]+\.swift): ((?:`[A-Za-z]+`(?:, )?)+)/)
            #expect(!mentions.isEmpty, "\(model.path) names none")
            for mention in mentions {
                let file = try #require(
                    sources.first { $0.path.hasSuffix("/\(mention.output.1)") }, "\(model.path): there is no \(mention.output.1)")
                for name in mention.output.2.matches(of: /[A-Za-z]+/).map(\.output) {
                    let isThere = ["func \(name)(", "func \(name)<", "var \(name):"].contains { file.text.contains($0) }
                    #expect(isThere, "\(model.path): \(file.path) has no \(name)")
                }
            }
        }
    }
}
