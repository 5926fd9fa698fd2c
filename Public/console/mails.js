// The mails that wait or were given up.

import { element, moment, show, table } from "./dom.js";
import { mailKind, mailState } from "./words.js";

const heads = ["Mail", "Written", "State", "Attempts", "Relay", "Answer"];

/** @param account makes the cell that names a mail's account, in a list of several accounts. */
export function mailTable(caption, mails, empty, account) {
    return table(caption, account ? [...heads, "Account"] : heads, mails.map((mail) => [
        mailKind(mail.kind), moment(mail.createdAt), mailState(mail), String(mail.attempts), mail.relay ?? "", mail.answer ?? "",
        ...(account ? [account(mail)] : []),
    ]), empty);
}

export async function mails(server) {
    const [waiting, parked] = await Promise.all([server.get("mails", { state: "waiting" }), server.get("mails", { state: "parked" })]);
    const account = ({ localId }) => (localId ? element("a", { href: server.address("account", localId) }, localId) : "");
    show("Mails",
        mailTable("Waiting", waiting.mails, "No mail waits.", account), mailTable("Given up", parked.mails, "No mail was given up.", account),
        element("p", { class: "note" }, "At most 100 are shown of each. To see the mails of one user, find the address under Accounts."));
}
