// swift-tools-version:6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "onward",
    products: [.executable(name: "onward", targets: ["Onward"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CResolv"),
        .systemLibrary(name: "CTimex"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        library("Base", ["CIDN2", "CPSL", "CTimex", metrics]),
        library("Cryptography", ["CCrypt", "COpenSSL"]),
        library("Network", ["Base", "CCurl", "CEpoll", "CResolv"]),
        library("HTTPServer", ["Base", "COpenSSL", "Network", httpTypes, logging, metrics]),
        library("AppLinks", ["Base"]),
        library("Accounts", ["AppLinks", "Base", "Cryptography", "Network"]),
        library("Store", ["Accounts", "Base", "Cryptography"]),
        library("SQLite", ["Accounts", "Base", "CSQLite", "Network", "Store"]),
        library("PostgreSQL", ["Accounts", "Base", "CPostgreSQL", "Network", "Store"]),
        library("Remote", ["Accounts", "Base", "Cryptography", "Network", logging]),
        library("Views", ["Accounts", "Base", mustache]),
        library("Mail", ["Accounts", "Base", "Cryptography", "Network", "Views", logging, metrics]),
        library(
            "Web",
            ["CQRencode", "CZlib", "Accounts", "AppLinks", "Base", "HTTPServer", "Network", "Views", httpTypes, logging, metrics]),
        library(
            "Configuration",
            ["Accounts", "AppLinks", "Base", "Cryptography", "HTTPServer", "Mail", "PostgreSQL", "Views", yams, logging]),
        library(
            "Server",
            [
                "Accounts", "AppLinks", "Base", "Configuration", "Cryptography", "HTTPServer", "Mail", "Network", "PostgreSQL", "Remote",
                "SQLite",
                "Store",
                "Views", "Web", httpTypes, logging, metrics,
            ]),
        library(
            "CommandLine",
            [
                "Accounts", "AppLinks", "Base", "Configuration", "Cryptography", "HTTPServer", "Mail", "Network", "Remote", "SQLite",
                "Server", "Store", "Views", "Web", argumentParser, logging,
            ]),
        .executableTarget(name: "Onward", dependencies: ["CommandLine"], swiftSettings: settings),
        .target(name: "Vectors", path: "Tests/Vectors", swiftSettings: settings),
        .target(
            name: "World",
            dependencies: [
                "Accounts", "AppLinks", "Base", "CSQLite", "Cryptography", "HTTPServer", "Mail", "Network", "PostgreSQL", "SQLite", "Store",
                httpTypes, logging,
            ],
            path: "Tests/World",
            swiftSettings: settings),
        .target(
            name: "ConfigurationSamples", dependencies: ["Configuration", "World"], path: "Tests/ConfigurationSamples",
            swiftSettings: settings),
        tests("ArchitectureTests"),
        tests("BaseTests", ["Base", "Vectors", "World"]),
        tests("CryptographyTests", ["Cryptography"], exclude: ["KnownAnswers.json"]),
        tests("NetworkTests", ["Base", "CCurl", "Network", "World"]),
        tests("HTTPServerTests", ["Base", "HTTPServer", "COpenSSL", "Network", "World", httpTypes, logging, metrics, metricsTestKit]),
        tests("AppLinksTests", ["AppLinks", "Base", "Vectors"]),
        tests(
            "AccountsTests", ["Accounts", "AppLinks", "Base", "Cryptography", "Network", "Store", "Vectors", "World"],
            exclude: ["Recorded.json"]),
        tests("StoreTests", ["Store", "PostgreSQL", "SQLite", "Accounts", "Base", "Network", "World"]),
        tests("SimulationTests", ["Accounts", "Base", "Mail", "Network", "Server", "SQLite", "Store", "World", logging]),
        tests("SQLiteTests", ["Base", "Network", "Store", "SQLite", "CSQLite", "Accounts", "World"]),
        tests("PostgreSQLTests", ["Base", "Network", "Store", "PostgreSQL", "Accounts", "World"]),
        tests(
            "RemoteTests",
            [
                "Remote", "Accounts", "AppLinks", "Base", "Cryptography", "HTTPServer", "Network", "Store", "Views", "Web", "World",
                httpTypes, logging,
            ]),
        tests("ViewsTests", ["Accounts", "Base", "Views"]),
        tests(
            "MailTests",
            [
                "Mail", "Accounts", "Base", "HTTPServer", "Network", "Store", "Vectors", "Views", "World", httpTypes, logging, metrics,
                metricsTestKit,
            ],
            exclude: ["Feedback/Signed.json"]),
        tests(
            "WebTests",
            [
                "Web", "CZlib", "Accounts", "AppLinks", "Base", "HTTPServer", "Network", "Remote", "Store", "Vectors", "Views", "World",
                httpTypes, logging, metrics, metricsTestKit,
            ],
            exclude: ["Exchanges"]),
        tests(
            "ConfigurationTests",
            ["Accounts", "AppLinks", "Base", "Configuration", "ConfigurationSamples", "HTTPServer", "Mail", "Web", "World"]),
        tests(
            "ServerTests",
            [
                "Accounts", "AppLinks", "Base", "Configuration", "ConfigurationSamples", "HTTPServer", "Network", "Server", "Store",
                "World", httpTypes, logging,
                metrics,
            ]),
        tests(
            "CommandLineTests",
            [
                "Accounts", "AppLinks", "Base", "CommandLine", "Configuration", "ConfigurationSamples", "HTTPServer", "Mail", "Network",
                "Remote", "SQLite",
                "Server", "Store", "Views", "Web", "World", argumentParser, httpTypes, logging, yams,
            ]),
        tests(
            "EndToEndTests", ["Base", "HTTPServer", "Onward", "Vectors", "World", httpTypes, logging],
            exclude: ["ClientPage/client.html", "PopupPage/popup.html", "PopupPage/popup.js"]),
    ]
)
