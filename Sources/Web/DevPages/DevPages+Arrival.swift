public import Accounts
internal import AppLinks
internal import Views

/// The page at the end of the samples' links, in the place of the app.
extension DevPages {
    static let arrivalPath = "/emulator/app"

    func arrival(_ request: Request) -> Response {
        guard let action = request["after"].flatMap({ Action(rawValue: $0) }) else { return notFound(request) }
        return response(.arrival(DevArrival(after: action, brand: brand)))
    }
}

extension Site {
    /// The continue URL of a sample's link.
    public static func arrivalURL(after action: Action, at origin: String) -> String {
        "\(origin)\(DevPages.arrivalPath)?after=\(action.rawValue)"
    }
}

extension DevArrival {
    fileprivate init(after action: Action, brand: Brand) {
        self =
            switch action {
            case .verifyEmail:
                DevArrival(
                    brand: brand, title: "The address is confirmed", lead: "The account has it on record, and the link is spent.",
                    advice: "Your app would load the user again, and go on.",
                    code: "await auth.currentUser.reload();\nauth.currentUser.emailVerified  // true")
            case .resetPassword:
                DevArrival(
                    brand: brand, title: "The password is changed",
                    lead: "The link is spent, and every session of the account has ended. A mail tells its owner.",
                    advice: "Your app would show its page for signing in.",
                    code: "await signInWithEmailAndPassword(auth, email, newPassword)")
            case .signIn:
                DevArrival(
                    brand: brand, title: "Your app would sign in now",
                    lead: "The code of the link is in the address of this page, unspent: signing in is the app's part.",
                    advice: "Your app would ask for the address, or remember it, and hand over both.",
                    code: """
                        if (isSignInWithEmailLink(auth, location.href))
                          await signInWithEmailLink(auth, email, location.href)
                        """)
            case .verifyAndChangeEmail:
                DevArrival(
                    brand: brand, title: "The account has its new address",
                    lead: "If it had another one, its sessions have ended, and the old address got a mail that undoes the change.",
                    advice: "Your app would ask the user to sign in again, with the new address, if its session has ended.")
            case .recoverEmail:
                DevArrival(
                    brand: brand, title: "The account has its former address again",
                    lead: "Its sessions have ended, so that a thief is out.",
                    advice: "Your app would ask the user to sign in again, and to choose a new password.")
            case .revertSecondFactorAddition:
                DevArrival(
                    brand: brand, title: "The second factor is removed", lead: "Signing in no longer asks for it.",
                    advice: "Your app would ask the user to choose a new password.")
            }
    }
}
