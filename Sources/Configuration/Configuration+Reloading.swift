import Base

extension Configuration {
    /// Returns this configuration with the values of `running` for keys that a reload cannot
    /// change.
    /// - Returns: also those keys whose values differ, which need a restart.
    public func keepingRestartOnlyValues(of running: Configuration) throws(SettingError) -> (configuration: Configuration, keys: [String]) {
        // The running servers send Strict-Transport-Security only if the scheme is https.
        guard publicOrigin.scheme == running.publicOrigin.scheme else {
            throw SettingError("publicOrigin cannot change between http and https by a reload; restart the server")
        }
        var (merged, keys) = (self, [String]())
        func keep<Value: Equatable>(_ key: String, _ path: WritableKeyPath<Configuration, Value>) {
            guard merged[keyPath: path] != running[keyPath: path] else { return }
            merged[keyPath: path] = running[keyPath: path]
            keys.append(key)
        }
        keep("listen", \.listen)
        // Certificates may change, but TLS can be neither added nor removed by a reload.
        if listenTLS.isEmpty != running.listenTLS.isEmpty { keep("tls", \.tls) }
        keep("listenTLS", \.listenTLS)
        keep("redirectFrom", \.redirectFrom)
        keep("adminListen", \.adminListen)
        keep("consoleListen", \.consoleListen)
        keep("secret", \.secrets)
        keep("database", \.database)
        keep("log", \.log)
        keep("limits", \.server)
        return (merged, keys)
    }
}
