// Sentences about accounts, mails and what was done.

const providers = { "google.com": "Google", "github.com": "GitHub", "apple.com": "Apple", "microsoft.com": "Microsoft", "facebook.com": "Facebook" };

export const providerName = (id) => providers[id] ?? id;

/** A way to sign in, by its name in the API. */
const way = (method) => ({ emailLink: "link", phone: "phone number", custom: "a token of the app's own server" })[method] ?? providerName(method);

/** What an account has that lets its user sign in. */
export function ways(account) {
    const linked = (account.providerUserInfo ?? []).map((one) => one.providerId).filter((id) => id !== "password");
    return [account.passwordHash && "password", account.emailLinkSignin && "emailLink", ...linked].filter(Boolean).map(way);
}

const isAnonymous = ({ email, passwordHash, providerUserInfo }) => !email && !passwordHash && !providerUserInfo?.length;

/** What an account can do, one sentence after the other. */
export function state({ account, signInMethods, switchedOffMethods, invitation, suppressions, secondFactorPausedUntil }, dated) {
    const by = signInMethods.map(way);
    const sentences = [];
    if (account.disabled) sentences.push("Disabled: its user cannot sign in.");
    else if (invitation) sentences.push(["Invited ", dated(invitation.sentAt), "; no one has entered the account. The invitation works until ", dated(invitation.expiresAt), "."]);
    else if (by.length) sentences.push("Can sign in by " + by.join(", ") + ".");
    else if (isAnonymous(account)) sentences.push("An anonymous account: its user cannot sign in to it again.");
    else sentences.push("Has no way to sign in that this project offers.");
    if (switchedOffMethods.length) sentences.push("The project has switched off " + switchedOffMethods.map(way).join(", ") + ".");
    if (account.mfaInfo?.length) sentences.push("A second factor is asked for at each sign-in.");
    if (secondFactorPausedUntil) sentences.push(["Wrong codes of a second factor were typed: right ones may be refused until ", dated(secondFactorPausedUntil), "."]);
    if (account.email) sentences.push(account.emailVerified ? "The address is verified." : "The address is not verified.");
    for (const one of suppressions) sentences.push(suppression(one, dated));
    return sentences;
}

export function suppression({ reason, provider, at, until }, dated) {
    const what = reason === "bounce" ? "Gets no mails: its mailbox was reported missing" : "Gets links only: its user called a mail spam";
    return [what, " (", provider, ", ", dated(at), ")", until ? [", until ", dated(until)] : "", "."].flat();
}

const kinds = {
    resetPassword: "Password reset", verifyEmail: "Verification", signIn: "Sign-in link", verifyAndChangeEmail: "Change of address",
    recoverEmail: "Undo of a change of address", revertSecondFactorAddition: "Undo of a second factor", invitation: "Invitation",
};
export const mailKind = (kind) => kinds[kind] ?? "Notice: " + kind.replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase());

const actions = { ...kinds, unknown: "Not known" };
/** The action of a link, as metrics name it. */
export const actionName = (action) => actions[action] ?? action;

const types = {
    PASSWORD_RESET: "Password reset", VERIFY_EMAIL: "Verification", EMAIL_SIGNIN: "Sign-in", VERIFY_AND_CHANGE_EMAIL: "Change of address",
    RECOVER_EMAIL: "Undo of a change of address", REVERT_SECOND_FACTOR_ADDITION: "Undo of a second factor",
};
export const linkType = (type) => types[type] ?? type;

/** What became of a mail, in the relay's words where there are some. */
export function mailState(mail) {
    const words = {
        waiting: mail.attempts ? "Waits for another attempt" : "Waits to be sent", sent: "A relay took it", parked: "Given up",
        expired: "Its link expired before it was sent", dropped: "Dropped by an admin",
    };
    const code = { used: ", its link was used", withdrawn: ", its link was withdrawn", expired: ", its link has expired", live: "" }[mail.code] ?? "";
    return words[mail.state] + code;
}
