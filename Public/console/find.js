// Finds accounts, by what a user says on the phone.

import { get, post } from "./api.js";
import { element, facts, moment, show, table } from "./dom.js";
import { ways } from "./words.js";

const explanations = {
    exact: "",
    beginning: "Addresses that begin with this:",
    similar: "No account has this address. These begin as it does; it may be mistyped:",
    newest: "The newest accounts:",
};

/** The view of a search; without a text, of the newest accounts. */
export async function find(text, token) {
    const input = element("input", {
        id: "text", name: "text", type: "search", value: text, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    });
    const form = element("form", { role: "search", onsubmit: (event) => {
        event.preventDefault();
        location.hash = "#/find/" + encodeURIComponent(input.value.trim());
        if (input.value.trim() === text) find(text);
    } },
        element("label", { for: "text" }, "Address or its beginning, account id, phone number, or id at a provider"),
        element("div", { class: "row" }, input, element("button", {}, "Find")));
    const found = await post("accounts:find", { text, pageToken: token });
    const rows = found.users.map((account) => [
        element("a", { href: "#/account/" + encodeURIComponent(account.localId) }, account.email ?? account.phoneNumber ?? account.localId),
        account.displayName ?? "", account.disabled ? "Disabled" : ways(account).join(", ") || "Cannot sign in", moment(account.createdAt),
    ]);
    const more = found.nextPageToken && element("p", {}, element("button", { type: "button", onclick: () => find(text, found.nextPageToken) }, "More"));
    const explanation = found.users.length && found.match !== "newest" ? explanations[found.match] : "";
    show("Accounts", form,
        explanation ? element("p", { class: "note" }, explanation) : undefined,
        table(found.match === "newest" ? "Newest" : "Found", ["Account", "Name", "Signs in by", "Made"], rows,
            text ? "No account is like this." : "There is no account yet."),
        more, found.users.length || !text.includes("@") ? undefined : await mailsOf(text));
    input.focus();
}

/** An address without an account has mails, too. */
async function mailsOf(address) {
    try {
        const { mails, suppressions } = await get("mails", { to: address, pageSize: 10 });
        return facts([["Mails to this address", String(mails.length)], ["Suppressed", suppressions.map((one) => one.reason).join(", ")]]);
    } catch { return undefined; }
}
