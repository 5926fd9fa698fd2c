// A stand-in for GTMSessionFetcher's public class, with its hook as the header and the source of
// version 4 describe it: no request is sent if the hook answers; the status is the code of the
// error, of whatever domain, otherwise 200; a status from 200 to 399 is a success; an answer with
// nothing in it lets the fetch go on. Here no connection is opened, so such a fetch fails.

import Dispatch
import Foundation
import FoundationNetworking

public let kGTMSessionFetcherStatusDomain = "com.google.HTTPStatus"

public typealias GTMSessionFetcherTestResponse = (HTTPURLResponse?, Data?, (any Error)?) -> Void
public typealias GTMSessionFetcherTestBlock = (GTMSessionFetcher, @escaping GTMSessionFetcherTestResponse) -> Void

public final class GTMSessionFetcher: NSObject, URLSessionDelegate, @unchecked Sendable {
    nonisolated(unsafe) private static var globalTestBlock: GTMSessionFetcherTestBlock?

    public static func setGlobalTest(_ block: GTMSessionFetcherTestBlock?) { globalTestBlock = block }

    /// The error of a fetch that went on by itself.
    public struct WentOn: Error {}

    public var request: URLRequest?
    public var bodyData: Data?
    /// The session of this fetcher alone, as FirebaseAuth asks for.
    public private(set) var session: URLSession?
    private var isStopped = false
    /// Whether `session` lets go of this fetcher.
    public private(set) var isInvalidated = false

    public init(request: URLRequest?, configuration: URLSessionConfiguration?) {
        self.request = request
        super.init()
        session = URLSession(configuration: configuration ?? .ephemeral, delegate: self, delegateQueue: nil)
    }

    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { isInvalidated = true }

    public func stopFetching() { isStopped = true }

    public func beginFetch(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        guard let block = Self.globalTestBlock else { return completionHandler(nil, WentOn()) }
        block(self) { response, data, error in
            DispatchQueue.main.async {
                guard !self.isStopped else { return }
                guard response != nil || data != nil || error != nil else { return completionHandler(nil, WentOn()) }
                let status = (error as NSError?)?.code ?? 200
                let failure = 200..<400 ~= status ? nil : error
                completionHandler(failure != nil && data?.isEmpty == true ? nil : data, failure)
            }
        }
    }
}
