/// What the first page at `/` needs to lead by the hand.
package struct DevStart: Sendable, Hashable {
    /// For the style.
    package var brand: Brand
    /// With scheme and port, without a slash at the end.
    package var origin: String
    /// The id that the app is configured with.
    package var project: String
    /// Any key will do; this one is in the examples.
    package var apiKey: String
    /// Those that are there from the start; the first stands in the examples.
    package var accounts: [Account]
    /// How many mails are in the inbox.
    package var mails: Int

    /// An account to try things with.
    package struct Account: Sendable, Hashable {
        /// Its e-mail address.
        package var address: String
        /// Shown in clear: it protects nothing.
        package var password: String?

        package init(address: String, password: String?) {
            self.address = address
            self.password = password
        }
    }

    package init(brand: Brand, origin: String, project: String, apiKey: String, accounts: [Account], mails: Int) {
        self.brand = brand
        self.origin = origin
        self.project = project
        self.apiKey = apiKey
        self.accounts = accounts
        self.mails = mails
    }
}
