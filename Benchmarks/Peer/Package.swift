// swift-tools-version:6.2
import PackageDescription

// The peer of the benchmarks: what a Swift team would write instead, with Hummingbird (SwiftNIO)
// and GRDB. It is not shipped.
let package = Package(
    name: "peer",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "peer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Sources/Peer",
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
