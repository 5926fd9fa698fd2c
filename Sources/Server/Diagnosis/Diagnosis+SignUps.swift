public import Accounts

extension Diagnosis {
    /// A project in which no one can get an account, or be invited; nil if people can.
    public init?(signUpsIn project: Project) {
        let subject = "sign-ups of \(project.id)"
        let methods = project.signIn
        switch project.signUps {
        case _ where project.upstream != nil: return nil
        case .byLink where !methods.emailLink:
            self = .warning(
                subject, "need a sign-in link, and an admin has switched those off",
                "Set signIn.email.passwordRequired to false by the API, or signUp: open in the file.")
        case .closed where !methods.password:
            let says = "are closed, and an invitation asks for a password, which no one uses here"
            let hasOtherWay = methods.emailLink || project.providers.contains(where: \.value.isEnabled)
            self =
                hasOtherWay
                ? .note(subject, says, "Make accounts with an address: their users come by a sign-in link or a provider.")
                : .warning(subject, says, "Set signIn.password: true, or let your back end sign users in by custom tokens.")
        case .open, .byLink, .closed: return nil
        }
    }
}
