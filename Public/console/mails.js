// The mails that wait or were given up.

import { element, moment, show, table } from "./dom.js";
import { mailKind, mailState } from "./words.js";

const heads = ["Mail", "Written", "State", "Attempts", "Relay", "Answer"];

export function mailTable(caption, mails, empty) {
    return table(caption, heads, mails.map((mail) => [
        mailKind(mail.kind), moment(mail.createdAt), mailState(mail), String(mail.attempts), mail.relay ?? "", mail.answer ?? "",
    ]), empty);
}

export async function mails(server) {
    const [waiting, parked] = await Promise.all([server.get("mails", { state: "waiting" }), server.get("mails", { state: "parked" })]);
    show("Mails",
        mailTable("Waiting", waiting.mails, "No mail waits."), mailTable("Given up", parked.mails, "No mail was given up."),
        element("p", { class: "note" }, "At most 100 are shown of each. To see the mails of one user, find the address under Accounts."));
}
