import HTTPTypes
import Testing
@testable import HTTPServer

/// H1-H11, L5: our own request smuggling attacks, for clones without the public vectors. Each hides
/// a request for `/hidden` where some parser would find it; ours never does, however the bytes are
/// divided (H17).
@Suite struct `A hostile connection` {
    @Test(arguments: Attack.all) func `yields exactly the expected requests and rejection`(_ attack: Attack) {
        let reading = ParsedInput(attack.bytes)
        #expect(reading.requests.map(\.head.path) == attack.paths)
        #expect(reading.rejection == attack.rejection)
        #expect(reading.isCutShort == attack.isCutShort)
    }

    @Test(arguments: Attack.all) func `is parsed the same in any division into reads`(_ attack: Attack) throws {
        try expectSameInAnyDivision(attack.bytes, "\(attack)")
    }

    @Test(arguments: Attack.all) func `gets no response to the hidden request`(_ attack: Attack) async throws {
        try await withServer { address, _ in
            let client = try await Client.connect(to: address)
            try await client.send(attack.bytes)
            client.finish()
            let answers = try await client.receiveAll()
            let isRefused = attack.rejection != nil || attack.isCutShort
            #expect(answers.count(of: "\r\nDate: ") == attack.paths.count + (isRefused ? 1 : 0))
            #expect(answers.count(of: "HTTP/1.1 200") == attack.paths.count)
            if isRefused { #expect(answers.contains("\r\nConnection: close\r\n")) }
        }
    }

    /// The inputs in `Scripts/fuzz/corpus` that reach every part of the parser (H19).
    @Test func `of the fuzz corpus is parsed the same in any division into reads`() throws {
        let inputs = try FuzzCorpus.inputs("parser") + FuzzCorpus.inputs("chunks")
        #expect(inputs.count > 20)
        for input in inputs { try expectSameInAnyDivision(input, "\(input)") }
    }
}

/// H17: byte by byte, in two pieces at every position (some positions of long inputs), in small
/// pieces, and through TLS.
func expectSameInAnyDivision(_ bytes: [UInt8], _ name: String) throws {
    let whole = ParsedInput(bytes)
    #expect(ParsedInput(drip: bytes) == whole, "\(name), byte by byte")
    for cut in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 400)) {
        #expect(ParsedInput(bytes, cutAt: [cut]) == whole, "\(name), cut at \(cut)")
    }
    for size in [2, 3, 7, 64] {
        let cuts = Array(stride(from: size, to: bytes.count, by: size))
        #expect(ParsedInput(bytes, cutAt: cuts) == whole, "\(name), in pieces of \(size)")
    }
    #expect(try ParsedInput(throughTLS: bytes) == whole, "\(name), through TLS")
}
