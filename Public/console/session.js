// The admin key of this tab. It is kept in memory; the user may keep it until the tab is closed.

const NAME = "onward-console-key";
/** How long a key is kept without use. */
const PATIENCE = 30 * 60 * 1000;

export const session = { key: undefined, owner: undefined, project: undefined };

let timer;
let whenForgotten = () => {};

/** Calls a function once the key was forgotten, with the reason. */
export function onForgotten(call) { whenForgotten = call; }

export function remember(key, keepsInTab) {
    session.key = key;
    if (keepsInTab) sessionStorage.setItem(NAME, key);
    keepAwake();
}

/** The key that the user chose to keep in this tab. */
export function kept() { return sessionStorage.getItem(NAME) ?? undefined; }

export function forget(reason) {
    clearTimeout(timer);
    sessionStorage.removeItem(NAME);
    session.key = session.owner = session.project = undefined;
    whenForgotten(reason);
}

function keepAwake() {
    if (!session.key) return;
    clearTimeout(timer);
    timer = setTimeout(() => forget("The key was forgotten after 30 minutes without use."), PATIENCE);
}

for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, keepAwake, { passive: true });

/** Whether the key may do something: read, write or create-links. */
export function may(permission) { return session.owner?.permissions.includes(permission) ?? false; }
