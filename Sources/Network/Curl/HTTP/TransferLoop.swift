internal import Base
internal import CCurl

/// An event loop on which all HTTP transfers of the process run. libcurl blocks none of them: it
/// looks up names on its own threads.
actor TransferLoop {
    /// The most idle connections that are kept, to all servers together.
    private static let maxIdleConnections = 256

    private static let created = Locked<TransferLoop?>(nil)

    /// The loop of this process, which never ends; nil if the system has no memory or no descriptor
    /// for it.
    static var shared: TransferLoop? {
        created.update { created in
            if created == nil {
                created = TransferLoop()
                created?.start()
            }
            return created
        }
    }

    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let multi: UnsafeMutableRawPointer
    /// The transfers that have begun, by the libcurl handle.
    private var running: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
    private var idle: [HTTPTransfer] = []

    private init?() {
        guard CurlHandle.isReady, let loop = EventLoop(label: "onward.transfers"), let multi = curl_multi_init() else { return nil }
        (self.loop, self.multi) = (loop, multi)
    }

    private nonisolated func start() {
        loop.submit {
            self.assumeIsolated { transfers in
                _ = onward_curl_multi_number(transfers.multi, CURLMOPT_MAXCONNECTS, Self.maxIdleConnections)
                _ = onward_curl_watch(
                    transfers.multi, { _, socket, what, loop, _ in TransferLoop.watch(socket, what, loop) },
                    Unmanaged.passUnretained(transfers.loop).toOpaque())
            }
        }
        loop.run { ready in self.assumeIsolated { $0.turn(ready) } }
    }

    /// Sends a request and returns the complete response.
    nonisolated func perform(
        _ request: TransferRequest, _ settings: HTTPTransfer.Settings, _ timeouts: HTTPTransfer.Timeouts
    ) async throws(TransferError) -> TransferResponse {
        let result = await suspended { continuation in
            loop.submit { self.assumeIsolated { $0.begin(request, settings, timeouts) { continuation.resume(returning: $0) } } }
        }
        return try result.get()
    }

    private func begin(
        _ request: TransferRequest, _ settings: HTTPTransfer.Settings, _ timeouts: HTTPTransfer.Timeouts,
        completion: @escaping HTTPTransfer.Completion
    ) {
        guard let transfer = idle.popLast() ?? HTTPTransfer() else { return completion(.failure(TransferError(cause: "out of memory"))) }
        let code = transfer.prepare(request, settings, timeouts, completion: completion)
        guard code == CURLE_OK, curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            return end(transfer, code == CURLE_OK ? CURLE_OUT_OF_MEMORY : code)
        }
        running[transfer.easy] = transfer
    }

    private func end(_ transfer: HTTPTransfer, _ code: CURLcode) {
        transfer.complete(code)
        idle.append(transfer)
    }

    private func turn(_ ready: [EventLoop.ReadyDescriptor]) -> EventLoop.TurnResult {
        for event in ready { act(on: event.descriptor, (event.canRead ? CURL_CSELECT_IN : 0) | (event.canWrite ? CURL_CSELECT_OUT : 0)) }
        // New transfers are due, too.
        if wait == 0 { act(on: CURL_SOCKET_BAD, 0) }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let transfer = running.removeValue(forKey: message.easy_handle) else { continue }
            curl_multi_remove_handle(multi, transfer.easy)
            end(transfer, message.data.result)
        }
        return .wait(atMost: wait)
    }

    /// Has libcurl handle what is ready: a descriptor, or the transfers that are due.
    private func act(on descriptor: Int32, _ events: Int32) {
        var running: Int32 = 0
        _ = curl_multi_socket_action(multi, descriptor, events, &running)
    }

    /// The nanoseconds until a transfer is due without an event, such as its timeout.
    private var wait: UInt64 {
        var milliseconds = 0
        _ = curl_multi_timeout(multi, &milliseconds)
        return milliseconds < 0 ? .max : UInt64(milliseconds) * 1_000_000
    }

    /// Called by libcurl when it waits for something else at a socket.
    private static func watch(_ socket: curl_socket_t, _ what: Int32, _ loop: UnsafeMutableRawPointer?) -> Int32 {
        guard let loop = loop.map({ Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }) else { return 0 }
        // A socket that cannot be watched fails with the timeout of its transfer.
        switch what {
        case CURL_POLL_REMOVE: loop.ignore(socket)
        default: _ = loop.watch(socket, reading: what & CURL_POLL_IN != 0, writing: what & CURL_POLL_OUT != 0)
        }
        return 0
    }
}
