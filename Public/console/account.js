// One account: its state in words, what belongs to it, and what can be done.

import { actions, factorAction, mergeAction, providerAction, suppressionAction } from "./actions.js";
import { get } from "./api.js";
import { auditTable, changes } from "./audit.js";
import { element, facts, moment, show, table } from "./dom.js";
import { mailTable } from "./mails.js";
import { linkType, providerName, state } from "./words.js";

export async function account(id) {
    const report = await get("accounts:inspect", { localId: id });
    const { account: found, sessions, links, provedAddresses, merges } = report;
    const again = () => account(id);
    show(found.email ?? found.phoneNumber ?? found.localId,
        element("ul", { class: "state" }, state(report, moment).map((sentence) => element("li", {}, ...[sentence].flat()))),
        actions(report, again),
        report.suppressions.length ? suppressionAction(report, again) : undefined,
        facts([
            ["Name", found.displayName], ["Id", element("code", {}, found.localId)], ["Phone number", found.phoneNumber],
            ["Made", moment(found.createdAt)], ["Last sign-in", moment(found.lastLoginAt)],
            ["Proved addresses", provedAddresses.map((one) => one.email).join(", ")], ["First address", found.initialEmail],
        ]),
        await mailsOf(found),
        table("Providers", ["Provider", "Id there", "Address there", ""], (found.providerUserInfo ?? [])
            .filter(({ providerId }) => providerId !== "password")
            .map((one) => [providerName(one.providerId), element("code", {}, one.rawId), one.email ?? "", providerAction(one, report, again)]), "No provider is linked."),
        table("Second factors", ["Factor", "Enrolled", ""], (found.mfaInfo ?? [])
            .map((one) => [one.displayName ?? one.phoneInfo ?? "Authenticator app", moment(one.enrolledAt), factorAction(one, report, again)]), "There is none."),
        table("Sessions", ["Signed in by", "Second factor", "Signed in", "Refreshed"], sessions
            .map((one) => [providerName(one.provider), one.secondFactor ?? "", moment(one.signedInAt), moment(one.refreshedAt)]), "No session lasts."),
        table("Links that work", ["Link", "Address", "Asked for", "Works until", "Device"], links
            .map((one) => [linkType(one.requestType), one.newEmail ?? one.email, moment(one.createdAt), moment(one.expiresAt),
                [one.browser, one.system].filter(Boolean).join(", ") || (one.mailed ? "" : "An admin's program")]), "No link works."),
        merges.length ? table("Merged into it", ["Account", "When", ""], merges
            .map((one) => [element("code", {}, one.fromLocalId), moment(one.mergedAt), mergeAction(one, report, again)]), "") : undefined,
        ...await Promise.all([eventsOf(id), auditOf(id)]));
}

/** The mails to the address of an account, and those about the account. */
async function mailsOf(found) {
    const lists = await Promise.all([get("mails", { localId: found.localId }), found.email ? get("mails", { to: found.email }) : { mails: [] }]);
    const known = new Map(lists.flatMap(({ mails }) => mails).map((mail) => [mail.id, mail]));
    const sorted = [...known.values()].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
    return mailTable("Mails", sorted, "No mail to this address is on record.");
}

async function eventsOf(id) {
    const { events } = await get("events", { localId: id });
    return table("Events for back ends", ["Event", "When", "State", "Why"], events.map((one) => [
        one.event.type, moment(one.event.timestamp), one.parkedAt ? "Given up" : "Waits", one.cause ?? "",
    ]), "Every event was delivered.");
}

async function auditOf(id) {
    const { operations } = await get("audit", { localId: id, pageSize: 200 });
    return auditTable(changes(operations), "No admin has changed this account lately.");
}
