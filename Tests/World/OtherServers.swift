import Foundation

/// The servers of other projects that tests start: PostgreSQL, PgBouncer, nginx, haproxy, aiosmtpd
/// and oidc-provider-mock; and Chromium.
package enum OtherServers {
    /// False if the environment variable ONWARD_TEST_SERVERS is `none`, as in `Scripts/check`.
    /// Tests that need one of them are then skipped, or run on SQLite only.
    package static let mayRun = ProcessInfo.processInfo.environment["ONWARD_TEST_SERVERS"] != "none"
    /// The reason of a skipped test.
    package static let absence = "Scripts/check starts no other server; Scripts/test does"

    /// The interpreter of the environment into which Scripts/test installs those in Python.
    package static let python = Repository.root + ".build/servers-venv/bin/python"
    package static let areInstalled = mayRun && FileManager.default.isExecutableFile(atPath: python)
    package static let missing = "aiosmtpd and oidc-provider-mock are not installed; Scripts/test installs them"

    /// The script of axe-core, which audits pages; nil: it is not installed.
    package static let axe: String? = {
        let library = Repository.root + ".build/servers-venv/lib"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return versions.map { "\(library)/\($0)/site-packages/axe_core_python/axe.min.js" }
            .first { mayRun && FileManager.default.fileExists(atPath: $0) }
    }()

    /// A program that prints mails it accepts, described in the file.
    package static let mailRelay = Repository.root + "Tests/Clients/servers/relay.py"
}
