// What a person may do to help the user of an account. Each asks once, and tells the server's answer.

import { Outdated } from "./api.js";
import { element, tell } from "./dom.js";
import { may, session } from "./session.js";
import { linkType, providerName } from "./words.js";

const dialog = document.getElementById("question");

/**
 * Asks a question in a dialog.
 * @param typed texts; the reader has to type one of them.
 * @param field what else is asked for: its label, and the value that is proposed.
 * @returns what was typed in the field, or whether the answer is yes.
 */
function ask(title, effect, button, typed, field) {
    const input = typed && element("input", { id: "typed", autocomplete: "off", spellcheck: "false" });
    const asked = field && element("input", { id: "asked", value: field.value, required: true, pattern: ".*\\S.*", spellcheck: "false" });
    const yes = element("button", { value: "yes", disabled: Boolean(typed) }, button);
    input?.addEventListener("input", () => { yes.disabled = !typed.includes(input.value.trim()); });
    dialog.replaceChildren(element("form", { method: "dialog" },
        element("h2", { id: "question-title" }, title), element("p", {}, effect),
        input && element("p", {}, element("label", { for: "typed" }, "Type ", element("strong", {}, typed[0]), " to go on"), input),
        asked && element("p", {}, element("label", { for: "asked" }, field.label), asked),
        element("div", { class: "row" }, yes, element("button", { value: "no", class: "quiet", formnovalidate: true }, "Cancel"))));
    dialog.returnValue = "no";
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" && (asked?.value.trim() ?? true)), { once: true }));
}

/** Answers an open question with no, and takes a link away. */
export function closeDialog() {
    if (dialog.open) dialog.close("no");
    dialog.replaceChildren();
}

/** Shows a link once, to be handed over. */
function hand(link, kind) {
    const field = element("input", { id: "link", readonly: true, value: link, onfocus: () => field.select() });
    const copy = element("button", { type: "button", onclick: async () => {
        try {
            await navigator.clipboard.writeText(link);
            copy.textContent = "Copied";
        } catch { field.focus(); }
    } }, "Copy");
    dialog.replaceChildren(element("form", { method: "dialog" },
        element("h2", { id: "question-title" }, kind + ": the link"),
        element("p", {}, "Anyone who has it can use it. It is shown only now."),
        element("p", {}, element("label", { for: "link" }, "Link"), field),
        element("div", { class: "row" }, copy, element("button", { class: "quiet" }, "Close"))));
    dialog.showModal();
    field.focus();
    return new Promise((resolve) => dialog.addEventListener("close", () => { dialog.replaceChildren(); resolve(); }, { once: true }));
}

/** A button that asks, does something, tells what happened, and shows the account again. */
function action(name, { title = name, effect, typed, field, run }, again) {
    return element("button", { type: "button", class: "quiet", onclick: async () => {
        const answer = await ask(title + "?", effect, name, typed, field);
        if (!answer) return;
        let told = "";
        try {
            told = await run(answer);
            tell(told, false, Boolean(typed));
            await again();
        } catch (error) {
            // What was done stays told if the view cannot be shown again.
            if (!(error instanceof Outdated)) tell(told ? told + " But what is shown is older: " + error.message : error.message, true);
        }
    } }, name);
}

/** What became of a mail, of which none is written to an address without a mailbox. */
function written(isMailed, what, email) {
    if (isMailed === false) throw new Error(what + " was not written: the mailbox of " + email + " was reported missing.");
    return what + " waits to be sent to " + email + ".";
}

const who = ({ account }) => account.email ?? account.phoneNumber ?? account.localId;

/** The buttons for an account that this key may press. */
export function actions(server, report, again) {
    const { account, invitation } = report;
    const offers = session.owner.projects.find(({ projectId }) => projectId === server.project);
    const { email, localId } = account;
    const update = (change) => server.post("accounts:update", { localId, ...change });
    const buttons = [];
    const send = (requestType, name, effect, field) => buttons.push(action("Send " + name, {
        title: "Send " + name + " to " + email, effect, field,
        run: async (continueUrl) => {
            const { mailed } = await server.post("accounts:sendOobCode", { requestType, email, returnMailed: true, ...(field && { continueUrl }) });
            return written(mailed, "The mail", email);
        },
    }, again));
    const make = (requestType) => buttons.push(action("Make a link: " + linkType(requestType).toLowerCase(), {
        title: "Make a link for " + email, effect: "You hand it over yourself. Anyone who has it can use it, so be sure who asks.",
        run: async () => {
            const { oobLink } = await server.post("accounts:sendOobCode", { requestType, email, returnOobLink: true });
            if (!oobLink) throw new Error("No link was made: the account has changed. Load it again.");
            await hand(oobLink, linkType(requestType));
            return "The link was made.";
        },
    }, again));
    if (may("create-links") && email && !account.disabled) {
        if (invitation && may("write")) {
            buttons.push(action("Send the invitation again", {
                title: "Invite " + email + " again", effect: "The mail leads to the choice of a password.",
                run: async () => written((await server.post("accounts:invite", { email })).mailed, "The invitation", email),
            }, again));
        } else if (offers.allowPasswordSignup) send("PASSWORD_RESET", "a password reset", "The mail leads to the choice of a new password. Nothing else changes.");
        if (!account.emailVerified) send("VERIFY_EMAIL", "a verification", "The mail asks the user to confirm the address.");
        if (offers.enableEmailLinkSignin && !invitation) {
            send("EMAIL_SIGNIN", "a sign-in link", "The link leads to a page of the app that completes the sign-in.", { label: "Page of the app", value: firstPage(offers) });
        }
        if (offers.allowPasswordSignup) make("PASSWORD_RESET");
        if (!account.emailVerified) make("VERIFY_EMAIL");
        if (offers.enableEmailLinkSignin) make("EMAIL_SIGNIN");
    }
    if (may("write")) {
        if (email && !account.emailVerified) {
            buttons.push(action("Confirm the address by hand", {
                title: "Confirm " + email + " by hand", effect: "Be sure that it is the user's. Apps will trust it.",
                run: async () => { await update({ emailVerified: true }); return "The address is verified."; },
            }, again));
        }
        buttons.push(action("End all sessions", {
            title: "End all sessions of " + who(report), effect: "The user signs in again on each device, in an hour at the latest.",
            run: async () => { await update({ validSince: String(Math.floor(Date.now() / 1000)) }); return "All sessions were ended."; },
        }, again));
        buttons.push(account.disabled
            ? action("Enable", { title: "Enable " + who(report), effect: "The user can sign in again.", run: async () => { await update({ disableUser: false }); return "The account is enabled."; } }, again)
            : action("Disable", { title: "Disable " + who(report), effect: "The user cannot sign in, and all sessions end. Nothing is deleted.", run: async () => { await update({ disableUser: true }); return "The account is disabled."; } }, again));
        buttons.push(action("Delete", {
            title: "Delete " + who(report), effect: "The account goes with all that belongs to it. This cannot be undone.", typed: [who(report), localId],
            run: async () => { await server.post("accounts:delete", { localId }); location.hash = server.address("find", ""); return who(report) + " was deleted."; },
        }, async () => {}));
    }
    return buttons.length ? element("div", { class: "actions", role: "group", "aria-label": "What you can do" }, buttons) : undefined;
}

/** A page of the project's first domain that is not this machine. */
function firstPage({ authorizedDomains }) {
    const domain = authorizedDomains.find((name) => /^[a-z0-9.-]*[a-z][a-z0-9.-]*\.[a-z0-9.-]+(:\d+)?$/.test(name));
    return domain ? "https://" + domain + "/" : "";
}

export function retryAction(server, { event: { type, data }, parkedAt, attempts }, again) {
    if (!may("write") || !parkedAt && !attempts) return "";
    return action("Send again", {
        title: "Send " + type + " again", effect: "Each back end that has not taken it is told again, with the same id.",
        run: async () => { await server.post("events/" + encodeURIComponent(data.id) + ":retry"); return "The event waits to be sent."; },
    }, again);
}

export function providerAction(server, { providerId, phoneNumber }, report, again) {
    if (!may("write")) return "";
    const name = providerId === "phone" ? phoneNumber : providerName(providerId);
    return action("Remove", {
        title: "Remove " + name, effect: "The user cannot sign in by it any more.",
        run: async () => { await server.post("accounts:update", { localId: report.account.localId, deleteProvider: [providerId] }); return name + " was removed."; },
    }, again);
}

export function factorAction(server, factor, report, again) {
    if (!may("write")) return "";
    const name = factor.displayName ?? factor.phoneInfo ?? "the authenticator app";
    return action("Remove", {
        title: "Remove " + name, effect: "For a user who has lost it. Be sure who asks: it protects the account.",
        run: async () => {
            const { localId } = report.account;
            // The user may have enrolled another one since the page was made.
            const { account } = await server.get("accounts:inspect", { localId });
            const enrollments = (account.mfaInfo ?? []).filter(({ mfaEnrollmentId }) => mfaEnrollmentId !== factor.mfaEnrollmentId);
            await server.post("accounts:update", { localId, mfa: { enrollments } });
            return "The second factor was removed.";
        },
    }, again);
}

export function mergeAction(server, { fromLocalId, reversibleUntil }, report, again) {
    if (!may("write")) return "";
    return action("Undo the merge", {
        title: "Part " + fromLocalId + " from " + who(report) + " again",
        effect: "Both accounts are as before, unless this one has changed since. It can be undone until " + new Date(reversibleUntil).toLocaleDateString("en-GB", { dateStyle: "medium" }) + ".",
        run: async () => { await server.post("accounts:unmerge", { localId: report.account.localId, fromLocalId }); return "There are two accounts again."; },
    }, again);
}

export function liftAction(server, email, again) {
    if (!may("write")) return undefined;
    return element("div", { class: "actions" }, action("Send mails again", {
        title: "Send mails to " + email + " again", effect: "Mails are sent again, until a provider reports the address anew.",
        run: async () => { await server.remove("suppressions/" + encodeURIComponent(email)); return "Mails are sent to " + email + " again."; },
    }, again));
}
