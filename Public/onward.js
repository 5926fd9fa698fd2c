// Comfort only: every page works without it.
"use strict";

// A second press while the first is on its way does nothing.
document.addEventListener("submit", (event) => {
    const button = event.target.querySelector("button.button");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") event.preventDefault();
    else button.setAttribute("aria-disabled", "true");
    // The answer may not come, or lead to an app; pressing again does no harm.
    setTimeout(release, 10_000);
});
const release = () => {
    for (const button of document.querySelectorAll("button.button")) button.removeAttribute("aria-disabled");
};
document.addEventListener("visibilitychange", () => { if (!document.hidden) release(); });

// A form from the browser's history is asked for anew, as it may be spent; but never one that was itself the answer to a form.
addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    release();
    if (document.querySelector("main form[method=post]") && !document.querySelector("main [role=alert]")) location.reload();
});

// Times in the person's own zone, and in their own region's way of writing where it is the page's language.
const page = document.documentElement.lang;
const region = navigator.languages.find((tag) => tag.split("-")[0] === page.split("-")[0]) ?? page;
const showTimes = (place) => {
    for (const time of place.querySelectorAll("time:not(.age)")) {
        const date = new Date(time.dateTime);
        // Always with the date, because sentences say *on* around it, and with the zone's name.
        const parts = { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" };
        // Some browsers have tags of languages that they do not know, such as en-US@posix.
        try { time.textContent = new Intl.DateTimeFormat(region, parts).format(date); } catch { return; }
    }
};
for (const main of document.querySelectorAll("main")) showTimes(main);

// A page after an action goes on by itself, unless the person stops it, chooses a language or comes back to it.
const soon = document.querySelector(".soon");
if (soon) {
    const next = document.querySelector("main a.button");
    const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
    const timer = isBack ? 0 : setTimeout(() => location.assign(next.href), soon.dataset.delay * 1000);
    const stay = () => { clearTimeout(timer); soon.hidden = true; };
    soon.addEventListener("submit", (event) => { event.preventDefault(); stay(); next.focus(); });
    document.querySelector(".languages")?.addEventListener("focusin", stay);
    addEventListener("pageshow", (event) => { if (event.persisted || isBack) stay(); });
}

// A Mac and an iPad ask for a page alike, but only an iPad can be touched.
const desktop = document.getElementById("desktop");
if (desktop && navigator.maxTouchPoints === 0) location.replace(desktop.dataset.url);

// Chrome on Android tells the version of an app that belongs to this site. One that is too old for the link is updated instead of opened.
const outdated = document.getElementById("outdated");
if (outdated && navigator.getInstalledRelatedApps) navigator.getInstalledRelatedApps().then((apps) => {
    const versions = JSON.parse(outdated.dataset.versions);
    if (!apps.some((app) => app.id === outdated.dataset.app && versions.includes(app.version))) return;
    const open = document.querySelector("main a.button");
    const store = outdated.content.querySelector("a").href;
    [...document.querySelectorAll(".other a")].find((way) => way.href === store)?.parentElement.remove();
    open.parentElement.replaceWith(outdated.content);
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
        peek.setAttribute("aria-label", shown ? peek.dataset.hideLabel : peek.dataset.showLabel);
        password.focus();
    });
    // What was shown is sent as a password, so that browsers offer to keep it and no form history does.
    password.form.addEventListener("submit", () => { password.type = "password"; });

    // A guess at the work of guessing: length, variety, and no more than that. The server has the last word.
    const strength = document.getElementById("password-strength");
    const rules = [...document.querySelectorAll("#password-rules [data-rule]")];
    const kindsOfRules = { lowercase: /\p{Lowercase}/u, uppercase: /\p{Uppercase}/u, numeric: /\p{Nd}/u, nonAlphanumeric: /[^\p{L}\p{M}\p{Nd}]/u };
    const keeps = (rule, letters) => {
        const [kind, length] = rule.split(" ");
        if (kind === "min") return letters.length >= Number(length);
        if (kind === "max") return letters.length > 0 && letters.length <= Number(length);
        return kindsOfRules[kind].test(password.value);
    };
    password.addEventListener("input", () => {
        const letters = [...password.value];
        for (const rule of rules) rule.classList.toggle("kept", keeps(rule.dataset.rule, letters));
        const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password.value)).length;
        const bits = Math.min(letters.length, 2 * new Set(letters).size) * (2 + kinds * 0.75);
        const words = strength.dataset[bits < 36 ? "weak" : bits < 54 ? "fair" : "good"];
        // Of a password that breaks a rule, the rules say enough.
        const said = letters.length === 0 || rules.some((rule) => !rule.classList.contains("kept")) ? "" : words;
        // Screen readers say again what is written again.
        if (strength.textContent !== said) strength.textContent = said;
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
