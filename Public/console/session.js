// The admin key of this tab. It is kept in memory; the user may keep it until the tab is closed.

const NAME = "onward-console-key";
/** How long a key is kept without use. */
const PATIENCE = 30 * 60 * 1000;

export const session = { key: undefined, owner: undefined, project: undefined };

let lastUse = 0;
let whenForgotten = () => {};

/** Calls a function once the key was forgotten, with the reason. */
export function onForgotten(call) { whenForgotten = call; }

/** Begins a session with a key that the server knows. */
export function begin(key, owner, keepsInTab) {
    Object.assign(session, { key, owner, project: owner.projects[0]?.projectId });
    lastUse = Date.now();
    if (keepsInTab) store();
    else discard();
}

/** The key that the user chose to keep in this tab, unless it was not used for long. */
export function kept() {
    try {
        const { key, at } = JSON.parse(sessionStorage.getItem(NAME)) ?? {};
        if (key && Date.now() - at < PATIENCE) return key;
    } catch { /* A browser may have no storage. */ }
    discard();
    return undefined;
}

export function forget(reason) {
    session.key = session.owner = session.project = undefined;
    discard();
    whenForgotten(reason);
}

function store() {
    try { sessionStorage.setItem(NAME, JSON.stringify({ key: session.key, at: lastUse })); } catch { /* As above. */ }
}

function discard() {
    try { sessionStorage.removeItem(NAME); } catch { /* As above. */ }
}

/** Whether the session goes on. A timer does not run in a tab that sleeps, so the clock decides. */
function isAwake() {
    if (!session.key || document.body.dataset.mode === "development" || Date.now() - lastUse < PATIENCE) return true;
    forget("The key was forgotten after 30 minutes without use.");
    return false;
}

function use() {
    if (!session.key || !isAwake()) return;
    lastUse = Date.now();
    if (kept()) store();
}

for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, use, { capture: true, passive: true });
for (const name of ["visibilitychange", "pageshow", "focus"]) addEventListener(name, isAwake);
setInterval(isAwake, 10_000);

/** Whether the key may do something: read, write or create-links. */
export function may(permission) { return session.owner?.permissions.includes(permission) ?? false; }
