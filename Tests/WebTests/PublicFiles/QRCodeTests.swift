import Testing
@testable import Web

@Suite struct `A QR code` {
    /// The modules that a path of horizontal lines covers, as a browser draws it.
    private func drawn(_ path: String) throws -> Set<[Int]> {
        var (modules, x, y): (Set<[Int]>, Int, Int) = ([], 0, 0)
        for command in path.matches(of: #/(M\d+ \d+\.5|m\d+ 0|h\d+)/#).map(\.1) {
            let numbers = command.dropFirst().split(separator: " ").compactMap { Int($0.prefix { $0 != "." }) }
            let first = try #require(numbers.first)
            switch command.first {
            case "M": (x, y) = (first, try #require(numbers.last))
            case "m": x += first
            default:
                for column in x..<x + first { modules.insert([column, y]) }
                x += first
            }
        }
        return modules
    }

    @Test(arguments: [1, 40, 300, 1273]) func `is drawn module by module, with white space around it`(length: Int) throws {
        let code = try #require(QRCode(onScreen: String(repeating: "a", count: length)))
        let modules = try drawn(code.path)
        #expect(code.viewBox == "0 0 \(code.width + 8) \(code.width + 8)")
        for row in -4..<code.width + 4 {
            for column in -4..<code.width + 4 where code[column, row] != modules.contains([column + 4, row + 4]) {
                Issue.record("\(column), \(row)")
            }
        }
        // The corner that lets scanners find a code.
        let corner = (0..<7).map { row in (0..<7).map { code[$0, row] ? "#" : "." }.joined() }
        #expect(corner == ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"])
    }

    @Test func `is not shown on a screen if it is too fine`() {
        #expect(QRCode(onScreen: String(repeating: "a", count: 1274)) == nil)
        #expect(QRCode(String(repeating: "a", count: 1274)) != nil)
        #expect(QRCode(String(repeating: "a", count: 3000)) == nil)
    }
}
