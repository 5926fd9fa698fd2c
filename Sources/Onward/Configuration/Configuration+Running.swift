import Accounts
import HTTPServer
import WebURL

extension Configuration {
    /// The same, but for what a running process cannot change: that stays as it is in `running`.
    /// - Returns: also the keys whose new values wait for a restart.
    func fitting(_ running: Configuration) throws(Fault) -> (configuration: Configuration, waiting: [String]) {
        // Too much else follows from it.
        guard publicOrigin.scheme == running.publicOrigin.scheme else {
            throw Fault("publicOrigin changes between http and https by a restart only")
        }
        var (fitting, waiting) = (self, [String]())
        func keep<Value: Equatable>(_ key: String, _ path: WritableKeyPath<Configuration, Value>) {
            guard fitting[keyPath: path] != running[keyPath: path] else { return }
            fitting[keyPath: path] = running[keyPath: path]
            waiting.append(key)
        }
        keep("listen", \.listen)
        // Certificates may change, but are of no use without a listener, and a listener is of none without them.
        if listenTLS.isEmpty != running.listenTLS.isEmpty { keep("tls", \.tls) }
        keep("listenTLS", \.listenTLS)
        keep("redirectFrom", \.redirectFrom)
        keep("adminListen", \.adminListen)
        keep("secret", \.secrets)
        keep("database", \.database)
        keep("log", \.log)
        keep("limits", \.server)
        return (fitting, waiting)
    }
}
