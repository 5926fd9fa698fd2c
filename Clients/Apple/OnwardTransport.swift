// Copy this file into an Apple app that has FirebaseAuth 12, and call `OnwardTransport.install`
// before `FirebaseApp.configure()`:
//
//     OnwardTransport.install(origin: URL(string: "https://auth.example.com")!)
//     FirebaseApp.configure()
//
// FirebaseAuth sends its requests by `GTMSessionFetcher`, which has a hook for them. This file
// takes those that go to Google's three hosts for accounts, and sends them to the same paths of
// your Onward over https. All other requests of the app pass. It is for the whole process: every
// FirebaseApp in it uses this Onward, and an extension that signs in has to install it as well.
//
// What was run: the requests of FirebaseAuth on Linux, over TLS, against `onward serve` and a
// stand-in that behaves as the source of the hook says. What was only read: the hook itself, and
// all of it on Apple's systems.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(GTMSessionFetcherCore)
    @preconcurrency import GTMSessionFetcherCore
#else
    @preconcurrency import GTMSessionFetcher
#endif

enum OnwardTransport {
    /// Sends the requests of FirebaseAuth to an installation of Onward from now on. Ends the app if
    /// the hook is missing (`GTM_DISABLE_FETCHER_TEST_BLOCK`): Google would get the passwords.
    /// - Parameters:
    ///   - origin: its `publicOrigin`, https.
    ///   - configuration: for the connections; cookies and caches are switched off.
    nonisolated static func install(origin: URL, configuration: URLSessionConfiguration = .ephemeral) {
        precondition(origin.scheme == "https" && origin.host != nil, "the origin of Onward is an https URL")
        (configuration.httpCookieStorage, configuration.urlCache) = (nil, nil)
        let session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
        GTMSessionFetcher.setGlobalTest { fetcher, respond in
            if fetcher.request?.url == probe { return respond(nil, Data(), nil) }
            guard let request = fetcher.request, let moved = moved(request, body: fetcher.bodyData, to: origin) else {
                // The fetcher goes on by itself.
                return respond(nil, nil, nil)
            }
            // FirebaseAuth's fetchers have a session each, which the hook would leave behind, with
            // the password that it holds.
            if let own = fetcher.session, own.delegate === fetcher { own.finishTasksAndInvalidate() }
            nonisolated(unsafe) let respond = respond
            let task = session.dataTask(with: moved) { data, response, error in
                let response = response as? HTTPURLResponse
                let (data, error) = answer(data, response, error)
                respond(response, data, error)
            }
            task.resume()
        }
        GTMSessionFetcher(request: URLRequest(url: probe), configuration: nil).beginFetch { _, error in
            if error != nil { fatalError("GTMSessionFetcher has no test hook; build it without GTM_DISABLE_FETCHER_TEST_BLOCK") }
        }
    }

    /// A URL that only the hook answers.
    nonisolated private static let probe = URL(string: "https://onward.invalid/hook")!

    /// The request as Onward gets it; nil for one that is not about accounts.
    nonisolated static func moved(_ request: URLRequest, body: Data?, to origin: URL) -> URLRequest? {
        guard let url = request.url, let host = url.host?.lowercased(),
            host == "identitytoolkit.googleapis.com" || host == "securetoken.googleapis.com"
                || host == "www.googleapis.com" && url.path.hasPrefix("/identitytoolkit/"),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        parts.scheme = "https"
        (parts.host, parts.port) = (origin.host, origin.port)
        parts.percentEncodedPath = "/\(host)" + parts.percentEncodedPath
        var moved = request
        moved.url = parts.url
        if let body {
            moved.httpBody = body
            if moved.httpMethod == nil || moved.httpMethod == "GET" { moved.httpMethod = "POST" }
        }
        return moved
    }

    /// The data and the error that the hook needs: it takes the code of an error for a status, and
    /// 200 to 399 for a success, whatever the error is. Without data and error the fetcher would
    /// ask Google; a success without data ends the app.
    nonisolated static func answer(_ data: Data?, _ response: HTTPURLResponse?, _ error: (any Error)?) -> (Data?, (any Error)?) {
        if let error { return (nil, error as? URLError ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])) }
        switch response?.statusCode {
        case let status? where 200..<300 ~= status: return (data ?? Data(), nil)
        case let status? where status >= 400: return (data ?? Data(), NSError(domain: kGTMSessionFetcherStatusDomain, code: status))
        default: return (nil, URLError(.badServerResponse))
        }
    }
}

/// Onward redirects no request of the SDK. Following one could send a password elsewhere.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    nonisolated func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
