// Comfort only: every page works without it.
"use strict";

// A second press while the first is on its way does nothing.
document.addEventListener("submit", (event) => {
    const button = event.target.querySelector("button.button");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") event.preventDefault();
    else button.setAttribute("aria-disabled", "true");
});

// A form from the browser's history is asked for anew, as it may be spent; but never one that was itself the answer to a form.
addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const button of document.querySelectorAll("button.button")) button.removeAttribute("aria-disabled");
    if (document.querySelector("main form[method=post]") && !document.querySelector("main [role=alert]")) location.reload();
});

// Times in the person's own zone, and in their own region's way of writing where it is the page's language.
const page = document.documentElement.lang;
const region = navigator.languages.find((tag) => tag.split("-")[0] === page.split("-")[0]) ?? page;
const showTimes = (place) => {
    for (const time of place.querySelectorAll("time")) {
        const date = new Date(time.dateTime);
        // Always with the date, because sentences say *on* and *until* around it.
        if (!isNaN(date)) time.textContent = new Intl.DateTimeFormat(region, { dateStyle: "long", timeStyle: "short" }).format(date);
    }
};
for (const main of document.querySelectorAll("main")) showTimes(main);

// A Mac and an iPad ask for a page alike, but only an iPad can be touched.
const desktop = document.getElementById("desktop");
if (desktop && navigator.maxTouchPoints === 0) location.replace(desktop.dataset.url);

// Chrome on Android tells the version of an app that belongs to this site. One that is too old for the link is updated instead of opened.
const outdated = document.getElementById("outdated");
if (outdated && navigator.getInstalledRelatedApps) navigator.getInstalledRelatedApps().then((apps) => {
    const versions = JSON.parse(outdated.dataset.versions);
    if (!apps.some((app) => app.id === outdated.dataset.app && versions.includes(app.version))) return;
    const [open, store] = document.querySelectorAll("main a.button");
    open.parentElement.remove();
    store.classList.remove("quiet");
});

// An app that was just installed may ask for the link; only a tap copies it.
const copy = document.getElementById("copy");
if (copy && navigator.clipboard) {
    const way = copy.parentElement;
    way.hidden = false;
    copy.addEventListener("click", async () => {
        try { await navigator.clipboard.writeText(copy.dataset.link); } catch { way.hidden = true; return; }
        for (const place of [copy.firstElementChild, document.getElementById("copied")]) place.textContent = copy.dataset.copied;
    });
}

const password = document.getElementById("password");
if (password) {
    const peek = document.querySelector(".peek");
    peek.hidden = false;
    peek.addEventListener("click", () => {
        const shown = password.type === "password";
        password.type = shown ? "text" : "password";
        peek.textContent = shown ? peek.dataset.hide : peek.dataset.show;
        password.focus();
    });
    // What was shown is sent as a password, so that browsers offer to keep it and no form history does.
    password.form.addEventListener("submit", () => { password.type = "password"; });

    // A guess at the work of guessing: length, variety, and no more than that. The server has the last word.
    const strength = document.getElementById("password-strength");
    password.addEventListener("input", () => {
        const letters = [...password.value];
        const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password.value)).length;
        const bits = Math.min(letters.length, 2 * new Set(letters).size) * (2 + kinds * 0.75);
        const words = strength.dataset[bits < 36 ? "weak" : bits < 54 ? "fair" : "good"];
        strength.textContent = letters.length === 0 ? "" : words;
    });
}

// Snippets for developers.
for (const snippet of document.querySelectorAll(".snippet")) {
    const button = document.createElement("button");
    button.className = "tool";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(snippet.querySelector("pre").textContent);
        button.textContent = "Copied";
    });
    snippet.append(button);
}
