import Testing
@testable import HTTPServer

@Suite struct `The grammar` {
    /// H4: every byte at every position of a word, next to bytes with similar bits.
    @Test(arguments: [0x00, 0x20, 0x61, 0x7E, 0x80, 0xFF] as [UInt8]) func `finds the first control character at any position`(other: UInt8)
    {
        let isControl = { (byte: UInt8) in byte < 0x20 && byte != 0x09 || byte == 0x7F }
        for byte in UInt8.min...UInt8.max {
            for place in 0..<20 {
                var line = [UInt8](repeating: 0x41, count: 20)
                line[place] = byte
                if place < 19 { line[place + 1] = other }
                let expected = isControl(byte) ? place : place < 19 && isControl(other) ? place + 1 : nil
                #expect(line.withUnsafeBufferPointer { Grammar.firstControl(in: $0, 0..<20) } == expected)
                #expect(line.withUnsafeBufferPointer { Grammar.firstControl(in: $0, 0..<place) } == nil)
            }
        }
    }
}
