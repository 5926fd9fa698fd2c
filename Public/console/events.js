// The events that no back end has taken yet.

import { retryAction } from "./actions.js";
import { element, moment, show, table } from "./dom.js";

export function eventTable(server, caption, events, again, empty) {
    return table(caption, ["Event", "When", "Account", "For", "State", "Why", ""], events.map((delivery) => {
        const { event: { type, timestamp, data }, endpoint, parkedAt, attempts, cause } = delivery;
        return [
            type, moment(timestamp), data.localId ? element("a", { href: server.address("account", data.localId) }, data.localId) : "", endpoint,
            parkedAt ? "Given up" : attempts ? "Waits for another attempt" : "Waits", cause ?? "", retryAction(server, delivery, again),
        ];
    }), empty);
}

export async function events(server) {
    const [parked, waiting] = await Promise.all([server.get("events", { state: "parked" }), server.get("events", { state: "waiting" })]);
    const again = () => events(server);
    show("Events",
        eventTable(server, "Given up", parked.events, again, "No event was given up."),
        eventTable(server, "Waiting", waiting.events, again, "No event waits."),
        element("p", { class: "note" }, "What back ends are told of accounts. At most 100 are shown of each."));
}
