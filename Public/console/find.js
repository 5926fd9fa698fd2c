// Finds accounts, by what a user says on the phone.

import { liftAction } from "./actions.js";
import { element, moment, show, table, tell } from "./dom.js";
import { mailTable } from "./mails.js";
import { suppression, ways } from "./words.js";

const explanations = {
    beginning: "Addresses that begin with this:",
    similar: "No account has this address. These begin as it does; it may be mistyped:",
};

/** The view of a search; without a text, of the newest accounts. */
export async function find(server, text = "", token = undefined) {
    const input = element("input", {
        id: "text", name: "text", type: "search", value: text, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    });
    const form = element("form", { role: "search", onsubmit: (event) => {
        event.preventDefault();
        const address = server.address("find", input.value.trim());
        if (location.hash === address) dispatchEvent(new Event("hashchange"));
        else location.hash = address;
    } },
        element("label", { for: "text" }, "Address or its beginning, account id, phone number, or id at a provider"),
        element("div", { class: "row" }, input, element("button", {}, "Find")));
    const found = await server.find({ text, pageToken: token || undefined });
    const rows = found.users.map((account) => [
        element("a", { href: server.address("account", account.localId) }, account.email ?? account.phoneNumber ?? account.localId),
        account.displayName ?? "", account.disabled ? "Disabled" : ways(account).join(", ") || "Nothing yet", moment(account.createdAt),
    ]);
    const isKnown = found.users.length && found.match !== "similar";
    const mails = isKnown || !text.includes("@") ? [] : await mailsOf(server, text);
    show("Accounts", form,
        found.users.length && explanations[found.match] ? element("p", { class: "note" }, explanations[found.match]) : undefined,
        table(found.match === "newest" ? "Newest" : "Found", ["Account", "Name", "Has", "Made"], rows,
            text ? "No account is like this." : "There is no account yet."),
        found.nextPageToken && element("p", {}, element("a", { href: server.address("find", text, found.nextPageToken) }, "More")),
        ...mails);
    if (!text) input.focus();
    // What was just done is told rather than how many there are.
    else if (!document.getElementById("news").textContent) tell(rows.length === 1 ? "One account is shown." : rows.length + " accounts are shown.");
}

/** An address without an account has mails, too. */
async function mailsOf(server, address) {
    try {
        const { mails, suppressions } = await server.get("mails", { to: address });
        const again = () => find(server, address);
        return [
            mailTable("Mails to " + address, mails, "No mail to this address is on record."),
            ...suppressions.map((one) => element("p", {}, ...suppression(one, moment))),
            suppressions.length ? liftAction(server, address, again) : undefined,
        ];
    } catch (error) {
        // The text need not be an address.
        if (error.code === "INVALID_EMAIL") return [];
        throw error;
    }
}
