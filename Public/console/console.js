// The console of people who help users: a page over the API that their admin keys have already.

import { account } from "./account.js";
import { closeDialog } from "./actions.js";
import { keyOwner, Outdated, Server } from "./api.js";
import { actorName, audit } from "./audit.js";
import { element, endNews, show, tell } from "./dom.js";
import { events } from "./events.js";
import { find } from "./find.js";
import { mails } from "./mails.js";
import { overview } from "./overview.js";
import { begin, forget, kept, may, onForgotten, session } from "./session.js";

const isDevelopment = document.body.dataset.mode === "development";
const places = [["Accounts", "find", ""], ["Overview", "overview"], ["Mails", "mails"], ["Events", "events"], ["Audit", "audit"]];

/** The views, by their names in fragments: #/project/view/words. */
const views = { find, account, overview, mails, events, audit };

/** Counts what is shown, so that a late answer is not shown in its place. */
let turn = 0;

async function showView() {
    turn += 1;
    const own = turn;
    closeDialog();
    if (!session.key) return askForKey();
    const [project, name, ...words] = location.hash.slice(2).split("/").map(decoded);
    const isKnown = session.owner.projects.some(({ projectId }) => projectId === project);
    if (isKnown) session.project = project;
    const server = new Server(session.project, () => own === turn);
    const view = isKnown && Object.hasOwn(views, name) ? name : "find";
    showPlaces(server, view);
    try { await views[view](server, ...(isKnown ? words : [])); } catch (error) {
        if (error instanceof Outdated || own !== turn || !session.key) return;
        show("This did not work", element("p", { role: "alert" }, error.message), element("p", {}, element("button", { type: "button", onclick: showView }, "Try again")));
    }
}

function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
}

const shown = (id, isShown, ...children) => {
    const part = document.getElementById(id);
    part.hidden = !isShown;
    part.replaceChildren(...children);
};

function showPlaces(server, current) {
    const links = places.map(([name, view, ...words]) =>
        element("a", { href: server.address(view, ...words), "aria-current": view === current && "page" }, name));
    const isChoice = session.owner.projects.length > 1;
    const choice = document.getElementById("project") ?? projectChoice();
    const isUsed = document.activeElement === choice;
    choice.value = server.project;
    shown("places", true, ...links, ...(isChoice ? [choice] : []));
    if (isUsed) choice.focus();
    shown("key", true,
        actorName(session.owner.actor), may("write") || may("create-links") ? "" : " (reads only)", " ",
        isDevelopment ? "" : element("button", { type: "button", class: "quiet", onclick: () => forget("The key was forgotten.") }, "Forget the key"));
}

function projectChoice() {
    const choice = element("select", { id: "project", "aria-label": "Project", onchange: () => {
        location.hash = "#/" + encodeURIComponent(choice.value) + "/find/";
    } }, session.owner.projects.map(({ projectId, displayName }) => element("option", { value: projectId }, displayName)));
    return choice;
}

/** Begins a session, if the server knows the key and it may read. */
async function signIn(key, keepsInTab) {
    const owner = await keyOwner(key);
    if (!owner.permissions.includes("read")) throw new Error("This key may not read accounts. Create one with: onward admin-key create --may read");
    begin(key, owner, keepsInTab);
}

function askForKey(reason) {
    for (const id of ["places", "key"]) shown(id, false);
    const input = element("input", { id: "admin-key", type: "password", autocomplete: "off", required: true, spellcheck: "false" });
    const keeps = element("input", { id: "keeps", type: "checkbox" });
    const trouble = element("p", { class: "bad", role: "alert" });
    show("Console",
        reason && element("p", {}, reason),
        element("form", { onsubmit: async (event) => {
            event.preventDefault();
            trouble.textContent = "";
            try {
                await signIn(input.value.trim(), keeps.checked);
                showView();
            } catch (error) {
                trouble.textContent = error.message;
                input.focus();
            }
        } },
            element("label", { for: "admin-key" }, "Admin key"), input, trouble,
            element("p", {}, keeps, " ", element("label", { for: "keeps", class: "inline" }, "Keep it until this tab is closed")),
            element("button", {}, "Go on"),
            element("p", { class: "note" }, "An operator makes a key with ", element("code", {}, "onward admin-key create"), ". What you do is recorded with its name.")));
    input.focus();
}

onForgotten((reason) => {
    turn += 1;
    closeDialog();
    tell("");
    askForKey(reason);
});
addEventListener("hashchange", () => {
    endNews();
    showView();
});
// The link changes no view.
document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("view").focus();
});

const key = isDevelopment ? "owner" : kept();
let trouble;
try { if (key) await signIn(key, !isDevelopment); } catch (error) { trouble = error.message; }
if (session.key) showView();
else askForKey(trouble);
