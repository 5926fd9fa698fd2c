// Served as /onward.js. Docs/Clients.md says how an app uses it.
//
// The names with an underscore are those of firebase-js-sdk 10 to 12, `PopupRedirectResolverInternal`
// in packages/auth/src/model/popup_redirect.ts.

const server = new URL(import.meta.url);

/** Makes the SDK send its requests to the server that this module came from. */
export function connectOnward(auth) {
    const { config } = auth;
    if (config.emulator) throw new Error("Call connectOnward or connectAuthEmulator, not both");
    for (const name of ["apiScheme", "apiHost", "tokenApiHost"]) {
        if (typeof config[name] !== "string") throw new Error(`This SDK has no auth.config.${name}; use connectAuthEmulator`);
    }
    Object.assign(config, { apiScheme: server.protocol.slice(0, -1), apiHost: server.host, tokenApiHost: server.host });
    return auth;
}

const resolvers = new WeakMap();

/**
 * Returns a resolver for popups and redirects, for `initializeAuth` or as third argument of
 * `signInWithPopup` and the others.
 * @param base `browserPopupRedirectResolver` of the SDK.
 * @param callback the page of the app that providers send the user back to. It has to load this
 *   module. By default a page of the server leads on to the page where the visit began.
 */
export function onwardResolver(base, { callback = "" } = {}) {
    // The SDK makes one instance for each class.
    const known = resolvers.get(base) ?? new Map();
    resolvers.set(base, known);
    if (!known.has(callback)) known.set(callback, replaceMethods(class extends base {}, callback));
    return known.get(callback);
}

/**
 * Replaces the resolver of `getAuth()`, before its first call, and that of the compat API, directly
 * after `firebase.auth()`.
 * @param resolver `browserPopupRedirectResolver`, or
 *   `firebase.auth()._delegate._popupRedirectResolver.browserResolver`.
 */
export function patchResolver(resolver, { callback = "" } = {}) {
    replaceMethods(typeof resolver === "function" ? resolver : resolver.constructor, callback);
}

function replaceMethods(resolver, page) {
    const callback = page && new URL(page, location.href).href;
    if (callback && new URL(callback).origin !== location.origin) throw new Error("callback has to be a page of this origin");
    const methods = {
        get _shouldInitProactively() { return false; },
        async _initialize(auth) { return visits(auth); },
        async _openPopup(auth, provider, type, eventId) { return visits(auth).openPopup(provider, type, eventId, callback); },
        async _openRedirect(auth, provider, type, eventId) {
            if (!auth.config.authDomain) throw failure(auth, "auth-domain-config-required");
            return openRedirect(auth, provider, type, eventId, callback);
        },
        // The server refuses the pages of other domains itself, and is asked each time.
        async _originValidation() {},
        _isIframeWebStorageSupported(_auth, report) { report(true); },
    };
    Object.defineProperties(resolver.prototype, Object.getOwnPropertyDescriptors(methods));
    return resolver;
}

// Visits to providers.

/** Begins each `state` of the server. The answers for other libraries are left alone. */
const mark = "onward.";
const channelName = "onward";
/** In the storage of a tab, from a redirect until the user is back. */
const visitKey = "onward:visit";
const createSeconds = 10;
const lifetimeSeconds = 900;
const closedSeconds = 8;
const lookSeconds = 0.5;
const codes = { UNAUTHORIZED_DOMAIN: "unauthorized-domain", TOO_MANY_ATTEMPTS_TRY_LATER: "too-many-requests" };

function failure(auth, code, sentence) {
    const error = auth._errorFactory.create(code, { appName: auth.name });
    if (sentence) error.message = `Firebase: ${sentence} (auth/${code}).`;
    return error;
}

/** The names of an app's visits in the storage of its tab. */
const nameOf = (auth) => `${auth.config.apiKey}:${auth.name}`;

/** Calls a method of the server. Throws if there is no response. */
async function call(auth, method, body, signal) {
    const { emulator, apiScheme, apiHost, apiKey } = auth.config;
    const origin = emulator ? `${emulator.url}identitytoolkit.googleapis.com` : `${apiScheme}://${apiHost}`;
    const response = await fetch(`${origin}/v1/accounts:${method}?key=${encodeURIComponent(apiKey)}`, {
        method: "POST", headers: { "Content-Type": "application/json" }, referrerPolicy: "no-referrer", signal, body: JSON.stringify(body),
    });
    return { status: response.status, json: await response.json() };
}

/** Asks the server for the URL of the provider's page. Only this page has the id of the session. */
async function createVisit(auth, provider, callback) {
    const sessionId = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(30)))).replace(/[+]/g, "-").replace(/[/]/g, "_");
    let status, json;
    try {
        ({ status, json } = await call(auth, "createAuthUri", {
            providerId: provider.providerId,
            sessionId,
            oauthScope: provider.getScopes?.().join(" "),
            customParameter: provider.getCustomParameters?.(),
            tenantId: auth.tenantId ?? undefined,
            ...(callback ? { continueUri: callback } : { returnUri: location.origin + location.pathname }),
        }, AbortSignal.timeout(createSeconds * 1000)));
    } catch {
        throw failure(auth, "network-request-failed");
    }
    if (status !== 200) {
        const [code, sentence] = String(json.error?.message ?? "").split(" : ");
        if (status >= 500) throw failure(auth, "network-request-failed", sentence);
        throw failure(auth, codes[code] ?? (code.toLowerCase().replace(/[_\s]+/g, "-") || "internal-error"), sentence);
    }
    const parameters = new URL(json.authUri).searchParams;
    return { page: json.authUri, state: parameters.get("state"), continueUri: parameters.get("redirect_uri"), sessionId };
}

/** The event from which the SDK makes its request `signInWithIdp`. */
const answered = ({ type, eventId, sessionId, continueUri, callback, tenantId }, answer) => ({
    type, eventId, sessionId, tenantId, postBody: null, urlResponse: callback ? answer.page : `${continueUri}?${answer.items}`,
});

const visitsOfAuth = new WeakMap();
const visits = (auth) => visitsOfAuth.get(auth) ?? visitsOfAuth.set(auth, new Visits(auth)).get(auth);

/** The visits of one app's users; the `EventManager` of the SDK. */
class Visits {
    #auth;
    #consumers = new Set();

    constructor(auth) { this.#auth = auth; }

    registerConsumer(consumer) {
        this.#consumers.add(consumer);
        if (consumer.filter.includes("unknown")) consumer.onAuthEvent(takeRedirectEvent(this.#auth));
        popup?.deliver();
    }

    unregisterConsumer(consumer) { this.#consumers.delete(consumer); }

    openPopup(provider, type, eventId, callback) {
        popup?.close();
        popup = new Popup(this.#auth, { type, eventId, callback, tenantId: this.#auth.tenantId ?? null }, this.#consumers);
        popup.lead(provider);
        return popup;
    }
}

/** The last window, of any app on this page, as the SDK has one call at a time. */
let popup;

/** The windows by their states. One whose call has ended closes once its user is back. */
const popups = new Map();
let channel;

function listen() {
    channel ??= new BroadcastChannel(channelName);
    channel.onmessage = ({ data }) => {
        if (!popups.has(data.state) || !data.items) return;
        channel.postMessage({ taken: data.state });
        popups.get(data.state).take(data);
        popups.delete(data.state);
    };
}

/** A visit in a second window; the `AuthPopup` of the SDK. */
class Popup {
    /** A provider can cut the tie to its window, which then looks closed. So the SDK does not get it. */
    window = null;
    #window;
    #auth;
    #visit;
    #consumers;
    #outcome;
    #timer;
    /** Whether the provider's page was seen in the window, so that its tie is not cut from the beginning. */
    #isSeen = false;
    #hasLostFocus = false;
    #secondsBack = 0;
    #ended = new AbortController();

    /** Throws `popup-blocked`. It waits for nothing before it opens the window, or browsers block it. */
    constructor(auth, visit, consumers) {
        const [width, height] = [500, 640];
        const [left, top] = [screenX + (outerWidth - width) / 2, screenY + (outerHeight - height) / 2].map(Math.round);
        this.#window = open("about:blank", "", `popup,width=${width},height=${height},left=${left},top=${top}`);
        [this.#auth, this.#visit, this.#consumers] = [auth, visit, consumers];
        if (!this.#window) throw failure(auth, "popup-blocked");
    }

    async lead(provider) {
        const end = Date.now() + lifetimeSeconds * 1000;
        this.#timer = setInterval(() => {
            if (this.#isClosed() || Date.now() > end) this.#end({ error: failure(this.#auth, "popup-closed-by-user") });
        }, lookSeconds * 1000);
        const { signal } = this.#ended;
        addEventListener("blur", () => { this.#hasLostFocus = true; }, { signal });
        document.addEventListener("visibilitychange", () => { this.#hasLostFocus = true; }, { signal });
        listen();
        try {
            Object.assign(this.#visit, await createVisit(this.#auth, provider, this.#visit.callback));
            if (this.#outcome) return;
            popups.set(this.#visit.state, this);
            this.#window.location.replace(this.#visit.page);
        } catch (error) {
            this.#end({ error });
        }
    }

    /** Whether the user closed the window. One whose tie was cut looks closed, too; then the app must have the focus again. */
    #isClosed() {
        const hasFocus = document.hasFocus();
        this.#hasLostFocus ||= !hasFocus;
        if (!this.#window.closed) {
            try { void this.#window.location.href; } catch { this.#isSeen = true; }
            this.#secondsBack = 0;
            return false;
        }
        if (!this.#visit.state) return true;
        this.#secondsBack = hasFocus && (this.#isSeen || this.#hasLostFocus) ? this.#secondsBack + lookSeconds : 0;
        return this.#secondsBack >= closedSeconds;
    }

    #end(outcome) {
        if (this.#outcome) return;
        this.#outcome = outcome;
        clearInterval(this.#timer);
        this.#ended.abort();
        this.#window.close();
        this.deliver();
    }

    /** Hands the outcome to the call that waits for it, at most once. */
    deliver() {
        const { event, error } = this.#outcome ?? {};
        const consumer = [...this.#consumers].find(({ filter, eventId }) => filter.includes(this.#visit.type) && eventId === this.#visit.eventId);
        if (!consumer || !(event || error)) return;
        this.#outcome = {};
        if (event) consumer.onAuthEvent(event); else consumer.onError(error);
    }

    take(answer) { this.#end({ event: answered(this.#visit, answer) }); }

    close() { this.#end({}); }
}

async function openRedirect(auth, provider, type, eventId, callback) {
    const visit = await createVisit(auth, provider, callback);
    const { page, ...stored } = { ...visit, type, eventId: eventId ?? null, callback, tenantId: auth.tenantId ?? null };
    try {
        sessionStorage.setItem(visitKey, JSON.stringify({ ...stored, name: nameOf(auth), shown: callback || location.href }));
    } catch {
        throw failure(auth, "web-storage-unsupported");
    }
    location.assign(page);
    return new Promise(() => {});
}

/** The visit that ended with the loading of this page. */
let redirect = null;

function takeRedirectEvent(auth) {
    const nothing = {
        type: "unknown", eventId: null, sessionId: null, tenantId: null, postBody: null, urlResponse: null, error: { code: "auth/no-auth-event" },
    };
    if (redirect?.name !== nameOf(auth)) return nothing;
    const { event } = redirect;
    redirect = null;
    return event;
}

// The way back: a provider's answer in the address of this page.

function storedVisit() {
    try {
        const text = sessionStorage.getItem(visitKey);
        sessionStorage.removeItem(visitKey);
        return JSON.parse(text);
    } catch {
        return null;
    }
}

function arrive() {
    const items = [location.hash, location.search].map((part) => part.slice(1)).find((part) => new URLSearchParams(part).get("state")?.startsWith(mark));
    // A frame shares the storage of its page, whose visit it may be.
    const visit = items || self === top ? storedVisit() : null;
    if (!items) return;
    const answer = { state: new URLSearchParams(items).get("state"), items, page: location.href };
    if (visit?.state === answer.state) {
        redirect = { name: visit.name, event: answered(visit, answer) };
        history.replaceState(history.state, "", visit.shown);
        return;
    }
    // No code stays in the address bar or in the history.
    const query = items === location.hash.slice(1) ? location.search : "";
    history.replaceState(history.state, "", location.origin + location.pathname + query);
    const opener = new BroadcastChannel(channelName);
    opener.onmessage = ({ data }) => { if (data.taken === answer.state) close(); };
    opener.postMessage(answer);
}

// The account of the signed-in user.

const answerSeconds = 70;
/** A wait that the server ends before this had to make room for others. */
const shortSeconds = 40;
const pauseSeconds = 60;
/** The time in which the SDK gets the tokens of a session that this page itself replaced. */
const settleSeconds = 3;
const retrySeconds = [1, 5, 15, 60];
const retryAfter = (failures) => retrySeconds[Math.min(failures, retrySeconds.length - 1)];
/** A page that is hidden for so long leaves the waiting to others. */
const hiddenSeconds = 300;
const milliseconds = (seconds) => seconds * 1000;

/**
 * Reloads the signed-in user and refreshes the ID token when the account changes, such as by a press
 * on a mailed link, on any device: `onIdTokenChanged` tells of it. Of the tabs of a browser one
 * waits for all.
 * @returns a function that ends it.
 */
export function watchUser(auth) {
    const inner = auth._delegate ?? auth;
    let wait = null;
    const unsubscribe = inner.onAuthStateChanged((user) => {
        if (user?.uid === wait?.uid) return;
        wait?.end();
        wait = user && new Wait(inner, user.uid);
    });
    return () => {
        unsubscribe();
        wait?.end();
        wait = null;
    };
}

/** The wait of one tab for the account of one user. */
class Wait {
    uid;
    #auth;
    #name;
    #channel;
    /** The mark of the account as the SDK knows it. */
    #since;
    /** Ends the waiting of this tab, or its place in the queue of tabs. */
    #turn = null;
    #hiddenTimer;
    #failures = 0;
    #over = new AbortController();

    constructor(auth, uid) {
        [this.#auth, this.uid] = [auth, uid];
        this.#name = `${channelName}:${nameOf(auth)}:${uid}`;
        this.#channel = new BroadcastChannel(this.#name);
        this.#channel.onmessage = ({ data }) => this.#take(data.since);
        document.addEventListener("visibilitychange", this.#look);
        this.#begin();
        this.#look();
    }

    end() {
        document.removeEventListener("visibilitychange", this.#look);
        this.#leave();
        this.#channel.close();
        this.#over.abort();
    }

    get #user() {
        const user = this.#auth.currentUser;
        return user?.uid === this.uid && !this.#over.signal.aborted ? user : null;
    }

    #look = () => {
        clearTimeout(this.#hiddenTimer);
        if (document.visibilityState === "visible") this.#begin();
        else this.#hiddenTimer = setTimeout(() => this.#leave(), milliseconds(hiddenSeconds));
    };

    #leave() {
        clearTimeout(this.#hiddenTimer);
        this.#turn?.abort();
        this.#turn = null;
    }

    async #begin() {
        if (this.#turn) return;
        const { signal } = this.#turn = new AbortController();
        while (!this.#since && !signal.aborted) await this.#ask(signal);
        const wait = async () => { while (!signal.aborted) await this.#ask(signal); };
        // Without locks each tab waits for itself: outside of a secure context, or where the site may keep nothing.
        await (navigator.locks?.request(this.#name, { signal }, wait) ?? wait()).catch(wait);
    }

    /** Asks once, which takes until the account changes or the server has waited for long. */
    async #ask(signal) {
        const [since, began] = [this.#since, Date.now()];
        const request = new AbortController();
        const abort = () => request.abort();
        const timer = setTimeout(abort, milliseconds(answerSeconds));
        signal.addEventListener("abort", abort);
        let idToken = null, answer = null;
        try {
            idToken = await this.#user.getIdToken();
            answer = await call(this.#auth, "watch", { idToken, since }, request.signal);
        } catch {
            // It is asked again.
        }
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        if (signal.aborted) return;
        const code = String(answer?.json.error?.message ?? "");
        if (answer?.status === 200) {
            this.#failures = 0;
            if (!answer.json.changed) {
                this.#since ??= answer.json.since;
                if (since && Date.now() - began < milliseconds(shortSeconds)) await this.#pause(pauseSeconds, signal);
                return;
            }
            this.#channel.postMessage({ since: answer.json.since });
            await this.#take(answer.json.since);
        } else if (answer?.status === 400 && !code.startsWith("TOO_MANY")) {
            // A call of this page, such as a new password, may have replaced the session.
            await this.#pause(settleSeconds, signal);
            const present = await this.#user?.getIdToken().catch(() => {});
            if (signal.aborted || present !== idToken) return;
            // The SDK finds out why the session ended, and signs the user out.
            await this.#user?.reload().catch(() => {});
            await this.#pause(pauseSeconds, signal);
        } else {
            await this.#pause(retryAfter(this.#failures++), signal);
        }
    }

    /** Has the SDK learn the change after which the account has this mark. The answer to the wait may be the last that came through. */
    async #take(since) {
        if (since === this.#since) return;
        this.#since = since;
        for (let failures = 0; this.#user && this.#since === since; failures++) {
            try {
                await this.#user.reload();
                return void await this.#user?.getIdToken(true);
            } catch {
                await this.#pause(retryAfter(failures), this.#over.signal);
            }
        }
    }

    /** Waits for some seconds, or until the browser is online again. */
    #pause(seconds, signal) {
        return new Promise((done) => {
            const pause = new AbortController();
            const end = () => { clearTimeout(timer); pause.abort(); done(); };
            const timer = setTimeout(end, milliseconds(seconds));
            addEventListener("online", end, { signal: pause.signal });
            signal.addEventListener("abort", end, { signal: pause.signal });
        });
    }
}

if (typeof location === "object" && typeof history === "object") arrive();
