// Calls of the server's own API, with the key of this tab.

import { forget, session } from "./session.js";

/** An answer that refuses, or none. Its message is a sentence for the reader. */
export class Refused extends Error {
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

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

async function call(method, path, body) {
    const headers = { Authorization: "Bearer " + session.key };
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
        forget("The server does not know this key any more. It may have expired, or was revoked.");
        throw new Refused("UNAUTHORIZED", "The key is not valid.");
    }
    if (response.status === 503) throw new Refused("UNAVAILABLE", "A part of the server is down. Nothing was changed: try again in a moment.");
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

/** A path of a project, with a query of the values that are there. */
function path(name, query = {}) {
    const items = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const text = items.map(([key, value]) => key + "=" + encodeURIComponent(value)).join("&");
    return "/v1/projects/" + encodeURIComponent(session.project) + "/" + name + (text ? "?" + text : "");
}

export const keyOwner = () => call("GET", "/v1/adminKey");
export const get = (name, query) => call("GET", path(name, query));
export const post = (name, body = {}) => call("POST", path(name), body);
export const remove = (name) => call("DELETE", path(name));
