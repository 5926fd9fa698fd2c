internal import CPostgreSQL
internal import Foundation

/// Waits for announcements of changes, on its own connection and thread. If the connection is lost,
/// it connects again.
final class Announcements: Sendable {
    static let channel = "onward"
    /// The most announcements that wait to be read. Who misses one looks after a while.
    static let maxWaiting = 10_000
    /// The longest pause between two attempts to connect.
    private static let longestPause = Duration.seconds(5)

    /// The end of a pipe that wakes the thread when it is closed.
    private let life: Int32

    /// - Parameter announce: called with each announcement, and with an empty text after each
    ///   connection, because announcements may have been missed before.
    init(_ options: PostgreSQLDatabase.Options, announce: @escaping @Sendable (String) -> Void) {
        var ends: [Int32] = [-1, -1]
        let hasPipe = pipe(&ends) == 0
        life = ends[1]
        guard hasPipe else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var direct = options
        direct.url = options.directURL ?? options.url
        let parameters = ConnectionParameters(direct)
        let stopping = ends[0]
        let thread = Thread {
            Self.run(parameters, until: stopping, announce: announce)
            close(stopping)
        }
        thread.name = "onward.listen"
        thread.start()
    }

    /// Ends the thread, after an attempt to connect that is in progress.
    func stop() { if life >= 0 { close(life) } }

    private static func run(_ parameters: ConnectionParameters, until stopping: Int32, announce: (String) -> Void) {
        var pause = Duration.milliseconds(100)
        repeat {
            guard let handle = parameters.connect() else { continue }
            defer { PQfinish(handle) }
            guard PQstatus(handle) == CONNECTION_OK, listen(on: handle) else {
                pause = min(pause * 2, longestPause)
                continue
            }
            pause = .milliseconds(100)
            announce("")
            while isReadable(PQsocket(handle), until: stopping), PQconsumeInput(handle) == 1 {
                while let notification = PQnotifies(handle) {
                    announce(String(cString: notification.pointee.extra))
                    PQfreemem(notification)
                }
            }
        } while !isStopping(stopping, within: pause)
    }

    private static func listen(on handle: OpaquePointer) -> Bool {
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        let result = PQexec(handle, "LISTEN \(channel)")
        defer { PQclear(result) }
        return PQresultStatus(result) == PGRES_COMMAND_OK
    }

    /// Waits until the socket can be read; false if the thread has to end. A server that is gone is
    /// noticed by the keep-alives of the connection.
    private static func isReadable(_ socket: Int32, until stopping: Int32) -> Bool {
        var descriptors = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: stopping, events: 0, revents: 0)]
        while true {
            let count = poll(&descriptors, 2, -1)
            if descriptors[1].revents != 0 { return false }
            if count > 0 { return true }
            guard errno == EINTR else { return false }
        }
    }

    private static func isStopping(_ stopping: Int32, within pause: Duration) -> Bool {
        var descriptor = pollfd(fd: stopping, events: 0, revents: 0)
        return poll(&descriptor, 1, Int32(pause.milliseconds)) != 0
    }
}
