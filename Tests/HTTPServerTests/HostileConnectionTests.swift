import HTTPTypes
import Testing

@testable import HTTPServer

/// H1-H11, L5: attacks as they are sent, in our own words, so that a clone without the public vectors is well tested, too. Each hides a
/// request for `/hidden` where one reader or another would find it. We never do, however it is cut and wherever it comes from (H17).
@Suite struct `A hostile connection` {
    @Test(arguments: Attack.all) func `is read in one way only`(_ attack: Attack) {
        let reading = Reading(attack.bytes)
        #expect(reading.requests.map(\.head.path) == attack.paths)
        #expect(reading.rejection == attack.rejection)
        #expect(reading.isCutShort == attack.isCutShort)
    }

    @Test(arguments: Attack.all) func `means the same in any slicing`(_ attack: Attack) throws {
        try expectSameInAnySlicing(attack.bytes, "\(attack)")
    }

    @Test(arguments: Attack.all) func `gets no answer for what it hides`(_ attack: Attack) async throws {
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

    /// What the fuzzer kept, in `Scripts/fuzz/corpus`: small inputs that lead it everywhere in the parser (H19).
    @Test func `that the fuzzer thought of means the same in any slicing`() throws {
        let inputs = try Corpus.inputs("parser") + Corpus.inputs("chunks")
        #expect(inputs.count > 20)
        for input in inputs { try expectSameInAnySlicing(input, "\(input)") }
    }
}

/// H17: byte by byte, cut in two at every place (long ones: at some), in small pieces, and through TLS.
func expectSameInAnySlicing(_ bytes: [UInt8], _ name: String) throws {
    let whole = Reading(bytes)
    #expect(Reading(drip: bytes) == whole, "\(name), byte by byte")
    for cut in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 400)) {
        #expect(Reading(bytes, cutAt: [cut]) == whole, "\(name), cut at \(cut)")
    }
    for size in [2, 3, 7, 64] {
        let cuts = Array(stride(from: size, to: bytes.count, by: size))
        #expect(Reading(bytes, cutAt: cuts) == whole, "\(name), in pieces of \(size)")
    }
    #expect(try Reading(throughTLS: bytes) == whole, "\(name), through TLS")
}
