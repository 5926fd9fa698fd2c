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
        library("Queues", ["CEpoll"]),
        library("Curl", ["CCurl", "Queues"]),
        library("DNS", ["CResolv"]),
        library("JSON"),
        library("HTTPServer", ["COpenSSL", "Queues", httpTypes, logging, metrics]),
        library("WebURL", ["CIDN2", "CPSL"]),
        library("AppLinks", ["JSON", "WebURL"]),
        library("Cryptography", ["CCrypt", "COpenSSL"]),
        library("Accounts", ["Cryptography", "Queues", "WebURL"]),
        library("EmailActions", ["Accounts", "AppLinks", "JSON", "Queues", "WebURL"]),
        library("Store", ["Accounts", "Cryptography", "EmailActions", "JSON", "Queues"]),
        library("Upstream", ["Accounts", "Curl", "EmailActions", "JSON", "Queues", "WebURL", logging]),
        library("Providers", ["Accounts", "Cryptography", "Curl", "JSON", "Queues", "WebURL", logging]),
        library("SQLite", ["Accounts", "CSQLite", "Queues", "Store"]),
        library("PostgreSQL", ["Accounts", "CPostgreSQL", "Queues", "Store"]),
        library("Views", ["AppLinks", "JSON", "Queues", mustache]),
        library("Mail", ["Accounts", "Cryptography", "Curl", "EmailActions", "JSON", "Queues", "Views", "WebURL", logging, metrics]),
        library(
            "Web",
            [
                "CQRencode", "CZlib", "Accounts", "AppLinks", "EmailActions", "HTTPServer", "JSON", "Queues", "Views", "WebURL", httpTypes,
                logging, metrics,
            ]),
        .executableTarget(
            name: "Onward",
            dependencies: [
                "CTimex", "Queues", "Curl", "DNS", "HTTPServer", "Cryptography", "JSON", "WebURL", "AppLinks", "Accounts", "EmailActions",
                "Mail",
                "Store",
                "PostgreSQL", "Providers", "SQLite", "Upstream", "Views", "Web", argumentParser, yams, httpTypes, logging, metrics,
            ],
            swiftSettings: settings),
        .target(name: "Vectors", path: "Tests/Vectors", swiftSettings: settings),
        .target(
            name: "World",
            dependencies: [
                "Accounts", "AppLinks", "Cryptography", "EmailActions", "HTTPServer", "Mail", "PostgreSQL", "Queues", "SQLite", "Store",
                "WebURL", httpTypes,
            ],
            path: "Tests/World",
            swiftSettings: settings),
        tests("ArchitectureTests"),
        tests("CurlTests", ["CCurl", "Curl"]),
        tests("DNSTests", ["DNS"]),
        tests("CryptographyTests", ["Cryptography"], exclude: ["KnownAnswers.json"]),
        tests("QueuesTests", ["Queues", "World"]),
        tests("HTTPServerTests", ["HTTPServer", "COpenSSL", "Queues", "World", httpTypes, logging, metrics, metricsTestKit]),
        tests("JSONTests", ["JSON", "Vectors"]),
        tests("WebURLTests", ["WebURL", "Vectors"]),
        tests("AppLinksTests", ["AppLinks", "Vectors", "WebURL"]),
        tests("EmailActionsTests", ["EmailActions", "Accounts", "AppLinks", "Queues", "WebURL", "Store", "Vectors", "World"]),
        tests(
            "MailTests",
            [
                "Mail", "Accounts", "Curl", "EmailActions", "HTTPServer", "JSON", "Queues", "Store", "Vectors", "Views", "WebURL", "World",
                httpTypes, logging, metrics, metricsTestKit,
            ],
            exclude: ["Feedback/Signed.json"]),
        tests("StoreTests", ["Store", "PostgreSQL", "SQLite", "Accounts", "EmailActions", "Queues", "World"]),
        tests("SQLiteTests", ["Queues", "Store", "SQLite", "CSQLite", "Accounts", "EmailActions", "World"]),
        tests("PostgreSQLTests", ["Queues", "Store", "PostgreSQL", "Accounts", "EmailActions", "World"]),
        tests(
            "UpstreamTests",
            [
                "Upstream", "Accounts", "AppLinks", "Curl", "EmailActions", "HTTPServer", "Queues", "Store", "Views", "Web", "WebURL",
                "World",
                httpTypes, logging,
            ]),
        tests("ProvidersTests", ["Providers", "Accounts", "Cryptography", "Curl", "JSON", "WebURL", "World", logging]),
        tests("ViewsTests", ["AppLinks", "Queues", "Views"]),
        tests(
            "WebTests",
            [
                "Web", "CZlib", "Accounts", "AppLinks", "EmailActions", "HTTPServer", "JSON", "Providers", "Store", "Vectors", "Views",
                "WebURL", "World",
                httpTypes,
                logging,
                metrics, metricsTestKit,
            ],
            exclude: ["Exchanges"]),
        tests(
            "OnwardTests",
            [
                "Onward", "AppLinks", "Accounts", "Curl", "EmailActions", "HTTPServer", "JSON", "Mail", "Queues", "SQLite", "Store",
                "Upstream", "Vectors", "Views", "Web", "WebURL", "World", argumentParser, yams, httpTypes, logging, metrics,
            ]),
        tests("EndToEndTests", ["HTTPServer", "Onward", "Vectors", "World", httpTypes, logging], exclude: ["ClientPage/client.html"]),
        tests(
            "AccountsTests", ["Accounts", "Cryptography", "EmailActions", "Queues", "Store", "Vectors", "World"],
            exclude: ["Recorded.json"]),
    ]
)
