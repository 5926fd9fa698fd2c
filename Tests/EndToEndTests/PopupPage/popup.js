// A web app with popups and redirects, on the unmodified SDK. The query says which version and which way to Onward's resolver.
import { connectOnward, onwardResolver, patchResolver, watchUser } from "ONWARD/onward.js";

const query = new URLSearchParams(location.search);
// A window that comes back has no query.
const [version, way] = [query.get("sdk") ?? "12.18.0", query.get("way") ?? "init"];
const config = {
    apiKey: query.get("key") ?? "demo-api-key", projectId: query.get("project") ?? "demo-project",
    authDomain: query.has("noDomain") ? undefined : "app.example.com",
};
const providerID = query.get("provider") ?? "google.com";
const options = query.has("callback") ? { callback: `${location.origin}/back?sdk=${version}&way=${way}&callback&own=1` } : {};
const sdk = way === "compat" ? await compat() : await modules();

async function modules() {
    const firebase = await import(`/sdk/firebase-${version}.js`);
    const resolver = onwardResolver(firebase.browserPopupRedirectResolver, options);
    if (way === "patch") patchResolver(firebase.browserPopupRedirectResolver, options);
    const persistence = query.has("shared") ? firebase.browserLocalPersistence : firebase.browserSessionPersistence;
    function connected(app) {
        if (way === "patch") return connectOnward(firebase.getAuth(app));
        const popupRedirectResolver = way === "argument" ? undefined : resolver;
        return connectOnward(firebase.initializeAuth(app, { persistence, popupRedirectResolver }));
    }
    const auth = connected(firebase.initializeApp(config));
    const other = connected(firebase.initializeApp(config, "other"));
    const last = way === "argument" ? [resolver] : [];
    const call = (name) => (...values) => firebase[name](...values, ...last);
    return {
        auth,
        other,
        provider: () => wanted(firebase),
        signInAnonymously: () => firebase.signInAnonymously(auth),
        changePassword: () => firebase.updatePassword(auth.currentUser, "another horse 8"),
        signUp: () => firebase.createUserWithEmailAndPassword(auth, query.get("email"), "correct horse 7"),
        signOut: () => firebase.signOut(auth),
        popup: (provider) => call("signInWithPopup")(auth, provider),
        redirect: (provider) => call("signInWithRedirect")(auth, provider),
        linkPopup: (provider) => call("linkWithPopup")(auth.currentUser, provider),
        linkRedirect: (provider) => call("linkWithRedirect")(auth.currentUser, provider),
        reauthPopup: (provider) => call("reauthenticateWithPopup")(auth.currentUser, provider),
        reauthRedirect: (provider) => call("reauthenticateWithRedirect")(auth.currentUser, provider),
        result: () => call("getRedirectResult")(auth),
        otherPopup: (provider) => call("signInWithPopup")(other, provider),
        otherRedirect: (provider) => call("signInWithRedirect")(other, provider),
        otherResult: () => call("getRedirectResult")(other),
    };
}

async function compat() {
    await new Promise((done, failed) => {
        const script = Object.assign(document.createElement("script"), { src: `/sdk/firebase-compat-${version}.js`, onload: done, onerror: failed });
        document.head.append(script);
    });
    firebase.initializeApp(config);
    const auth = firebase.auth();
    patchResolver(auth._delegate._popupRedirectResolver.browserResolver, options);
    connectOnward(auth._delegate);
    await auth.setPersistence("session");
    return {
        auth,
        provider: () => wanted(firebase.auth),
        signInAnonymously: () => auth.signInAnonymously(),
        changePassword: () => auth.currentUser.updatePassword("another horse 8"),
        signUp: () => auth.createUserWithEmailAndPassword(query.get("email"), "correct horse 7"),
        signOut: () => auth.signOut(),
        popup: (provider) => auth.signInWithPopup(provider),
        redirect: (provider) => auth.signInWithRedirect(provider),
        linkPopup: (provider) => auth.currentUser.linkWithPopup(provider),
        linkRedirect: (provider) => auth.currentUser.linkWithRedirect(provider),
        reauthPopup: (provider) => auth.currentUser.reauthenticateWithPopup(provider),
        reauthRedirect: (provider) => auth.currentUser.reauthenticateWithRedirect(provider),
        result: () => auth.getRedirectResult(),
    };
}

/** The provider that the query names, with its scope and its parameter. */
function wanted({ GoogleAuthProvider, OAuthProvider }) {
    const provider = providerID === "google.com" ? new GoogleAuthProvider() : new OAuthProvider(providerID);
    if (query.has("scope")) provider.addScope(query.get("scope"));
    if (query.has("prompt")) provider.setCustomParameters({ prompt: query.get("prompt") });
    return provider;
}

/** Writes a line with what a call returned, or its error. */
async function tell(name, call) {
    let line;
    try {
        const result = await call();
        const user = result?.user;
        line = { uid: user?.uid ?? null, email: user?.email ?? null, operation: result?.operationType ?? null };
    } catch (error) {
        line = { error: error.code ?? String(error), message: error.message };
    }
    const item = document.createElement("li");
    item.dataset.line = JSON.stringify({ name, ...line, present: sdk.auth.currentUser?.uid ?? null });
    item.textContent = `${name} ${item.dataset.line}`;
    document.querySelector("ol").append(item);
}

for (const button of document.querySelectorAll("button")) {
    const name = button.id;
    const needsProvider = !["signInAnonymously", "signUp", "changePassword", "signOut", "endWatch"].includes(name);
    button.onclick = () => {
        if (name === "twice") {
            tell("first", () => sdk.popup(sdk.provider()));
            tell("second", () => sdk.popup(sdk.provider()));
        } else {
            tell(name, () => sdk[name](needsProvider ? sdk.provider() : undefined));
        }
    };
}
if (query.has("watch")) {
    sdk.endWatch = watchUser(sdk.auth);
    sdk.auth.onIdTokenChanged(async (user) => {
        const { claims } = await user?.getIdTokenResult() ?? {};
        document.body.dataset.verified = claims ? `${user.emailVerified} ${claims.email_verified}` : "signed out";
    });
}
globalThis.tell = tell;
globalThis.sdk = sdk;
await tell("result", sdk.result);
if (sdk.other) await tell("otherResult", sdk.otherResult);
document.body.dataset.ready = "";
