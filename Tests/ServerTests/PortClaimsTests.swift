import Base
import Configuration
import Foundation
import HTTPServer
import Testing
@testable import Server

/// V9: two processes share a port only if they share the database.
@Suite struct `A claim on a port` {
    private let address: ListenAddress
    private let folder = FileManager.default.temporaryDirectory.appending(path: "onward-claims-\(UUID().uuidString)").path

    init() throws {
        address = ListenAddress(host: "127.0.0.1", port: try #require(Port.free()))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["one", "two"] { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
    }

    @Test func `is refused to processes with another database`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let claim = try PortClaims([address], database: .sqlite(path: folder + "/one"))
        let conflict = #expect(throws: PortClaims.Conflict.self) { try PortClaims([address], database: .sqlite(path: folder + "/two")) }
        #expect(conflict?.description.contains("\(address) is in use by another Onward (process \(getpid()))") == true)
        // The refused process claims nothing.
        let sharing = try PortClaims([address], database: .sqlite(path: folder + "/one"))
        sharing.release()
        claim.release()
        try PortClaims([address], database: .sqlite(path: folder + "/two")).release()
    }

    @Test func `concerns its own address only`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let claim = try PortClaims([address, ListenAddress(host: "::1", port: address.port)], database: .sqlite(path: folder + "/one"))
        defer { claim.release() }
        try PortClaims([ListenAddress(host: "127.0.0.2", port: address.port)], database: .sqlite(path: folder + "/two")).release()
        #expect(throws: PortClaims.Conflict.self) {
            try PortClaims([ListenAddress(host: "::1", port: address.port)], database: .sqlite(path: folder + "/two"))
        }
    }
}
