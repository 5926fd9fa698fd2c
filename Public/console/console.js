// The console of people who help users: a page over the API that their admin keys have already.

import { account } from "./account.js";
import { keyOwner } from "./api.js";
import { element, endNews, show, tell } from "./dom.js";
import { find } from "./find.js";
import { mails } from "./mails.js";
import { audit } from "./audit.js";
import { forget, kept, onForgotten, remember, session } from "./session.js";

const isDevelopment = document.body.dataset.mode === "development";
const places = [["Accounts", "#/find/"], ["Mails", "#/mails"], ["Audit", "#/audit"]];

/** The views, by the beginnings of their fragments. */
const views = { find, account, mails, audit };

async function showView() {
    if (!session.key) return askForKey();
    const [name, ...rest] = location.hash.slice(2).split("/");
    const view = Object.hasOwn(views, name) ? views[name] : find;
    showPlaces(name || "find");
    try { await view(decoded(rest.join("/"))); } catch (error) {
        if (session.key) show("This did not work", element("p", {}, error.message), element("p", {}, element("button", { type: "button", onclick: showView }, "Try again")));
    }
}

function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
}

function showPlaces(current) {
    const nav = document.getElementById("places");
    nav.hidden = false;
    nav.replaceChildren(...places.map(([name, address]) =>
        element("a", { href: address, "aria-current": address.startsWith("#/" + current) && "page" }, name)));
    if (session.owner.projects.length > 1) nav.append(projectChoice());
    const key = document.getElementById("key");
    key.hidden = false;
    key.replaceChildren(
        session.owner.actor.replace(/^key:\S+ /, ""), ...(session.owner.permissions.includes("write") ? [] : [" (reads only)"]), " ",
        isDevelopment ? "" : element("button", { type: "button", class: "quiet", onclick: () => forget("The key was forgotten.") }, "Forget the key"));
}

function projectChoice() {
    const choice = element("select", { "aria-label": "Project", onchange: () => {
        session.project = choice.value;
        location.hash = "#/find/";
        showView();
    } }, session.owner.projects.map(({ projectId, displayName }) =>
        element("option", { value: projectId, selected: projectId === session.project }, displayName)));
    return choice;
}

async function signIn(key, keepsInTab) {
    remember(key, keepsInTab);
    session.owner = await keyOwner();
    if (!session.owner.permissions.includes("read")) throw new Error("This key may not read accounts. Create one with: onward admin-key create --may read");
    session.project = session.owner.projects[0]?.projectId;
}

function askForKey(reason) {
    for (const id of ["places", "key"]) document.getElementById(id).hidden = true;
    const input = element("input", { id: "admin-key", type: "password", autocomplete: "off", required: true, spellcheck: "false" });
    const keeps = element("input", { id: "keeps", type: "checkbox" });
    const trouble = element("p", { class: "bad", role: "alert", id: "trouble" });
    show("Console",
        reason && element("p", {}, reason),
        element("form", { onsubmit: async (event) => {
            event.preventDefault();
            trouble.textContent = "";
            try {
                await signIn(input.value.trim(), keeps.checked);
                tell("");
                showView();
            } catch (error) {
                session.key = undefined;
                trouble.textContent = error.code === "UNAUTHORIZED" ? "The server does not know this key. Copy it again as a whole." : error.message;
                input.focus();
            }
        } },
            element("label", { for: "admin-key" }, "Admin key"), input, trouble,
            element("p", {}, keeps, " ", element("label", { for: "keeps", class: "inline" }, "Keep it until this tab is closed")),
            element("button", {}, "Go on"),
            element("p", { class: "note" }, "An operator makes a key with ", element("code", {}, "onward admin-key create"), ". What you do is recorded with its name.")));
    input.focus();
}

onForgotten((reason) => { if (!document.getElementById("trouble")) askForKey(reason); });
addEventListener("hashchange", () => { endNews(); showView(); });

try {
    const key = isDevelopment ? "owner" : kept();
    if (key) await signIn(key, !isDevelopment);
} catch { session.key = undefined; }
showView();
