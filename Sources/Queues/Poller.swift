import CEpoll
import Glibc

/// Waits for many descriptors at once, and for its own bell.
struct Poller: ~Copyable {
    /// What is to be told about a descriptor.
    enum Interest {
        /// Everything, once for each change.
        case changes
        /// That it can be read, for as long as it can.
        case reading
        /// That it could be read once more.
        case rings

        fileprivate var events: UInt32 {
            switch self {
            case .changes: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            case .reading: EPOLLIN.rawValue
            case .rings: EPOLLIN.rawValue | EPOLLET.rawValue
            }
        }
    }

    /// One wait reports so many at most; the next one goes on behind them.
    private static let mostReady = 256

    private let descriptor: Int32
    private let bell: Int32

    /// `nil` when no descriptor is left.
    init?() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Each ring is told once, so nobody has to read them away.
        guard watch(bell, for: .rings) else { return nil }
    }

    deinit {
        for descriptor in [bell, descriptor] where descriptor >= 0 { _ = close(descriptor) }
    }

    /// `false` when the system refuses.
    func watch(_ watched: Int32, for interest: Interest) -> Bool {
        var event = epoll_event()
        event.events = interest.events
        event.data.fd = watched
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
    }

    func ignore(_ watched: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &event)
    }

    /// Ends the present wait, or the next one, at once.
    func ring() { _ = eventfd_write(bell, 1) }

    /// Fills `ready` with what is ready, as soon as anything is or after so many milliseconds.
    func wait(atMost milliseconds: Int32, into ready: inout [EventLoop.Readiness]) {
        ready.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.mostReady) { events in
            let count = max(0, Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)))
            for event in events[..<count] where event.data.fd != bell { ready.append(EventLoop.Readiness(event)) }
        }
    }
}

extension EventLoop.Readiness {
    fileprivate init(_ event: epoll_event) {
        descriptor = event.data.fd
        isEnding = event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        canRead = isEnding || event.events & EPOLLIN.rawValue != 0
        canWrite = event.events & EPOLLOUT.rawValue != 0
    }
}

/// Gives this thread a name that debuggers and `top -H` show.
func nameThread(_ name: String) { onward_name_thread(name) }
