// What admins did in the project.

import { get } from "./api.js";
import { element, moment, show, table } from "./dom.js";

/** Methods that only read, which the account's own page calls as well. */
const readings = /^(list|find|inspect|lookup|query|batchGet|describe|linkStats|get)/;

/** What changed something. */
export const changes = (operations) => operations.filter(({ method }) => !readings.test(method));

export function auditTable(operations, empty) {
    return table("What admins did", ["When", "Who", "What", "Accounts", "Outcome"], operations.map((operation) => [
        moment(operation.at), operation.actor.replace(/^key:\S+ /, ""), operation.method,
        operation.subjects.slice(0, 3).map((id, index) => [index ? ", " : "", element("a", { href: "#/account/" + encodeURIComponent(id) }, id)]).flat()
            .concat(operation.subjects.length > 3 ? [" and " + (operation.subjects.length - 3) + " more"] : []),
        operation.outcome ?? "not known",
    ].map((cell) => (Array.isArray(cell) ? element("span", {}, ...cell) : cell))), empty);
}

export async function audit(token) {
    const page = await get("audit", { pageToken: token || undefined });
    show("Audit", auditTable(page.operations, "Nothing is recorded in this part."),
        page.nextPageToken && element("p", {}, element("a", { href: "#/audit/" + page.nextPageToken }, "Older")));
}
