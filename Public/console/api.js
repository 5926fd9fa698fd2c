// Calls of the server's own API.

import { forget, session } from "./session.js";

/** An answer that refuses, or none. Its message is a sentence for the reader. */
export class Refused extends Error {
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

/** The answer to a question that is not asked any more: its view is not shown. */
export class Outdated extends Error {}

/** Calls that wait for more than half a second are shown. */
const PATIENCE = 500;
let waiting = 0;

async function shownWhileWaiting(work) {
    const sign = document.getElementById("waiting");
    waiting += 1;
    const timer = setTimeout(() => { sign.hidden = false; }, PATIENCE);
    try { return await work(); } finally {
        clearTimeout(timer);
        waiting -= 1;
        if (!waiting) sign.hidden = true;
    }
}

async function call(key, method, path, body) {
    const headers = { Authorization: "Bearer " + key };
    if (body) headers["Content-Type"] = "application/json";
    let response, answer;
    try {
        response = await shownWhileWaiting(() =>
            fetch(path, { method, headers, body: body && JSON.stringify(body), credentials: "omit", cache: "no-store", redirect: "error" }));
        answer = await response.json();
    } catch {
        throw new Refused("UNREACHABLE", "The server does not answer. It may be restarting: try again in a moment.");
    }
    if (response.ok) return answer;
    const message = answer?.error?.message ?? "";
    if (response.status === 401) {
        if (session.key === key) forget("The server does not know this key any more. It may have expired, or was revoked.");
        throw new Refused("UNAUTHORIZED", "The server does not know this key. Copy it again as a whole.");
    }
    const [code, ...detail] = message.split(" : ");
    throw new Refused(code, detail.join(" : ") || sentences[code] || message || "The server refused this.");
}

const sentences = {
    USER_NOT_FOUND: "This account is gone.",
    EMAIL_NOT_FOUND: "No account has this address.",
    USER_DISABLED: "The account is disabled.",
    PASSWORD_LOGIN_DISABLED: "The account cannot have a password here.",
    OPERATION_NOT_ALLOWED: "The project does not allow this.",
    INVALID_EMAIL: "This is not an e-mail address.",
};

/** The owner of a key, and what it may do. */
export const keyOwner = (key) => call(key, "GET", "/v1/adminKey");

/** The server as one view asks it: one project, with the key of the moment, as long as the view is shown. */
export class Server {
    #key = session.key;
    #isShown;

    /** @param isShown tells whether the view is still the one that is shown. */
    constructor(project, isShown) {
        this.project = project;
        this.#isShown = isShown;
    }

    get isCurrent() { return this.#isShown() && session.key === this.#key; }

    /** The fragment of a view in this project. */
    address(view, ...words) { return "#/" + [this.project, view, ...words].map(encodeURIComponent).join("/"); }

    /** Asks a question, whose answer counts only while the view is shown. */
    async #ask(method, name, query, body) {
        const answer = await call(this.#key, method, this.#path(name, query), body);
        if (!this.isCurrent) throw new Outdated();
        return answer;
    }

    get(name, query) { return this.#ask("GET", name, query); }
    find(body) { return this.#ask("POST", "accounts:find", {}, body); }

    /** Changes something. A change is told even if its view is not shown any more. */
    post(name, body = {}) { return call(this.#key, "POST", this.#path(name), body); }
    remove(name) { return call(this.#key, "DELETE", this.#path(name)); }

    #path(name, query = {}) {
        const items = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
        const text = items.map(([key, value]) => key + "=" + encodeURIComponent(value)).join("&");
        return "/v1/projects/" + encodeURIComponent(this.project) + "/" + name + (text ? "?" + text : "");
    }
}
