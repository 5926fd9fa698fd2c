// One account: its state in words, what belongs to it, and what can be done.

import { actions, factorAction, liftAction, mergeAction, providerAction } from "./actions.js";
import { auditTable } from "./audit.js";
import { element, facts, moment, show, table } from "./dom.js";
import { eventTable } from "./events.js";
import { mailTable } from "./mails.js";
import { linkType, providerName, state } from "./words.js";

export async function account(server, id) {
    const report = await server.get("accounts:inspect", { localId: id });
    const { account: found, sessions, links, provedAddresses, merges } = report;
    const again = () => account(server, id);
    const [mails, events, audit] = await Promise.all([mailsOf(server, found), eventsOf(server, id, again), auditOf(server, id)]);
    show(found.email ?? found.phoneNumber ?? found.localId,
        element("ul", { class: "state" }, state(report, moment).map((sentence) => element("li", {}, ...[sentence].flat()))),
        actions(server, report, again),
        report.suppressions.length ? liftAction(server, found.email, again) : undefined,
        facts([
            ["Name", found.displayName], ["Id", element("code", {}, found.localId)], ["Phone number", found.phoneNumber],
            ["Made", moment(found.createdAt)], ["Last sign-in", moment(found.lastLoginAt)],
            ["Proved addresses", provedAddresses.map((one) => one.email).join(", ")], ["First address", found.initialEmail],
        ]),
        mails,
        table("Providers", ["Provider", "Id there", "Address there", ""], (found.providerUserInfo ?? [])
            .filter(({ providerId }) => providerId !== "password")
            .map((one) => [providerName(one.providerId), element("code", {}, one.rawId), one.email ?? "", providerAction(server, one, report, again)]), "No provider is linked."),
        table("Second factors", ["Factor", "Enrolled", ""], (found.mfaInfo ?? [])
            .map((one) => [one.displayName ?? one.phoneInfo ?? "Authenticator app", moment(one.enrolledAt), factorAction(server, one, report, again)]), "There is none."),
        table("Sessions", ["Signed in by", "Second factor", "Signed in", "Refreshed"], sessions
            .map((one) => [providerName(one.provider), one.secondFactor ?? "", moment(one.signedInAt), moment(one.refreshedAt)]), "No session lasts."),
        table("Links that work", ["Link", "Address", "Asked for", "Works until", "Device"], links
            .map((one) => [linkType(one.requestType), one.newEmail ?? one.email, moment(one.createdAt), moment(one.expiresAt),
                [one.browser, one.system].filter(Boolean).join(", ") || (one.mailed ? "" : "An admin's program")]), "No link works."),
        merges.length ? table("Merged into it", ["Account", "When", ""], merges
            .map((one) => [element("code", {}, one.fromLocalId), moment(one.mergedAt), mergeAction(server, one, report, again)]), "") : undefined,
        events, audit);
}

/** The mails to the address of an account, and those about the account. */
async function mailsOf(server, found) {
    const lists = await Promise.all([server.get("mails", { localId: found.localId }), found.email ? server.get("mails", { to: found.email }) : { mails: [] }]);
    const known = new Map(lists.flatMap(({ mails }) => mails).map((mail) => [mail.id, mail]));
    const sorted = [...known.values()].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
    return mailTable("Mails", sorted, "No mail to this address is on record.");
}

async function eventsOf(server, id, again) {
    const { events } = await server.get("events", { localId: id });
    return eventTable(server, "Events for back ends", events, again, "Every event was delivered.");
}

async function auditOf(server, id) {
    const { operations, nextPageToken } = await server.get("audit", { localId: id, changes: "true", pageSize: 200 });
    return auditTable(server, operations,
        nextPageToken ? "In the newest part of the audit, no admin has changed this account." : "No admin has changed this account.");
}
