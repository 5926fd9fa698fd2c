import CEpoll
import Glibc

/// An epoll instance, and an eventfd that other threads write to in order to wake it.
struct Poller: ~Copyable {
    /// Which events of a descriptor are reported.
    enum Interest {
        /// Every change of readability, writability or hang-up, once (edge-triggered).
        case changes
        /// Readability, in every wait for as long as it lasts (level-triggered).
        case readability
        /// Readability or writability, in every wait for as long as it lasts (level-triggered).
        case readiness(reading: Bool, writing: Bool)
        /// Readability, once for each time data arrives (edge-triggered).
        case arrivals

        fileprivate var events: UInt32 {
            switch self {
            case .changes: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            case .readability: EPOLLIN.rawValue
            case .readiness(let reading, let writing):
                (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
            case .arrivals: EPOLLIN.rawValue | EPOLLET.rawValue
            }
        }
    }

    /// The number of events that one wait reports at most; further ones are reported by the next.
    private static let maxEvents = 256

    private let descriptor: Int32
    private let wakeUpDescriptor: Int32

    /// Creates the instance; nil if the process has no descriptor left.
    init?() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUpDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Edge-triggered, so that the counter of the eventfd never has to be read.
        guard watch(wakeUpDescriptor, for: .arrivals) else { return nil }
    }

    deinit {
        for descriptor in [wakeUpDescriptor, descriptor] where descriptor >= 0 { _ = close(descriptor) }
    }

    /// Starts to watch a descriptor, or watches it for something else from now on; returns false if
    /// the system refuses.
    func watch(_ watched: Int32, for interest: Interest) -> Bool {
        var event = epoll_event()
        event.events = interest.events
        event.data.fd = watched
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
            || errno == EEXIST && epoll_ctl(descriptor, EPOLL_CTL_MOD, watched, &event) == 0
    }

    func ignore(_ watched: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &event)
    }

    /// Ends the current wait, or the next one, immediately. May be called from any thread.
    func wakeUp() { _ = eventfd_write(wakeUpDescriptor, 1) }

    /// Waits until a descriptor is ready or the time has passed, and replaces the content of
    /// `ready`.
    func wait(atMost milliseconds: Int32, into ready: inout [EventLoop.ReadyDescriptor]) {
        ready.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.maxEvents) { events in
            guard let first = events.baseAddress else { return }
            let count = max(0, Int(epoll_wait(descriptor, first, Int32(events.count), milliseconds)))
            for event in events[..<count] where event.data.fd != wakeUpDescriptor {
                ready.append(EventLoop.ReadyDescriptor(event))
            }
        }
    }
}

extension EventLoop.ReadyDescriptor {
    fileprivate init(_ event: epoll_event) {
        descriptor = event.data.fd
        isEnding = event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        canRead = isEnding || event.events & EPOLLIN.rawValue != 0
        canWrite = event.events & EPOLLOUT.rawValue != 0
    }
}

/// Gives freed memory back to the system, which malloc otherwise keeps. It takes about a
/// millisecond for 10 MB, during which other threads may wait for memory.
public func returnFreeMemory() { onward_return_free_memory() }

/// Names the calling thread for debuggers and `top -H`.
func nameThread(_ name: String) { onward_name_thread(name) }
