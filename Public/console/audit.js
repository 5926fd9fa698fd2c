// What admins did in the project.

import { element, moment, show, table } from "./dom.js";

/** A key by its name and its id, which no other key can have; other actors as they are. */
export const actorName = (actor) => actor.replace(/^key:(\S+) (.*)$/, "$2 ($1)");

export function auditTable(server, operations, empty) {
    return table("What admins did", ["When", "Who", "What", "Accounts", "Outcome"], operations.map((operation) => [
        moment(operation.at), actorName(operation.actor), operation.method,
        operation.subjects.slice(0, 3).map((id, index) => [index ? ", " : "", element("a", { href: server.address("account", id) }, id)]).flat()
            .concat(operation.subjects.length > 3 ? [" and " + (operation.subjects.length - 3) + " more"] : []),
        operation.outcome ?? "not known",
    ].map((cell) => (Array.isArray(cell) ? element("span", {}, ...cell) : cell))), empty);
}

export async function audit(server, token) {
    const page = await server.get("audit", { pageToken: token || undefined });
    show("Audit", auditTable(server, page.operations, "Nothing is recorded in this part."),
        page.nextPageToken && element("p", {}, element("a", { href: server.address("audit", page.nextPageToken) }, "Older")));
}
