import Foundation

/// The servers of other projects that tests start: PostgreSQL, PgBouncer, nginx, haproxy, aiosmtpd;
/// and Chromium.
package enum OtherServers {
    /// False if the environment variable ONWARD_TEST_SERVERS is `none`, as in `Scripts/check`.
    /// Tests that need one of them are then skipped, or run on SQLite only.
    package static let mayRun = ProcessInfo.processInfo.environment["ONWARD_TEST_SERVERS"] != "none"
    /// The reason of a skipped test.
    package static let absence = "Scripts/check starts no other server; Scripts/test does"
}
