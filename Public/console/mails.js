// The mails that wait or were given up.

import { get } from "./api.js";
import { element, moment, show, table } from "./dom.js";
import { mailKind, mailState } from "./words.js";

const heads = ["Mail", "Written", "State", "Attempts", "Relay", "Answer"];

export function mailTable(caption, mails, empty) {
    return table(caption, heads, mails.map((mail) => [
        mailKind(mail.kind), moment(mail.createdAt), mailState(mail), String(mail.attempts), mail.relay ?? "", mail.answer ?? "",
    ]), empty);
}

export async function mails() {
    const [waiting, parked] = await Promise.all([get("mails", { state: "waiting" }), get("mails", { state: "parked" })]);
    show("Mails",
        mailTable("Waiting", waiting.mails, "No mail waits."), mailTable("Given up", parked.mails, "No mail was given up."),
        element("p", { class: "note" }, "Mails are found by their address under Accounts, too. At most 100 are shown of each."));
}
