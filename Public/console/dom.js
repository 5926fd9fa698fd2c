// Makes elements. Texts of accounts, mails and relays become text nodes only, never markup.

/** An element with attributes and children: elements, texts, or nothing. */
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else if (value === true) made.setAttribute(key, "");
        else made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
    return made;
}

/** A moment of the server, in the reader's time zone, with the exact time in its title. */
export function moment(text) {
    if (!text) return "";
    const date = new Date(/^\d+$/.test(text) ? Number(text) : text);
    const shown = date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    return element("time", { datetime: date.toISOString(), title: date.toISOString() }, shown);
}

/** A table with a caption, or a sentence in place of an empty one. */
export function table(caption, heads, rows, empty) {
    const title = element("h2", {}, caption);
    if (!rows.length) return element("section", {}, title, element("p", { class: "empty" }, empty));
    const head = element("tr", {}, heads.map((text) => element("th", { scope: "col" }, text)));
    const body = rows.map((cells) => element("tr", {}, cells.map((cell, index) => element("td", { "data-head": heads[index] }, cell))));
    return element(
        "section", {}, title,
        element("div", { class: "wide", role: "region", "aria-label": caption, tabindex: "0" },
            element("table", {}, element("thead", {}, head), element("tbody", {}, body))));
}

/** Terms with their values; those without a value are left out. */
export function facts(pairs) {
    return element("dl", {}, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "")
        .flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
}

/** Shows a view in place of the last one, with its title, and moves the focus there. */
export function show(title, ...children) {
    document.title = title + " – Console";
    const view = document.getElementById("view");
    view.replaceChildren(element("h1", {}, title), ...children.flat().filter(Boolean));
    // A choice in the header keeps the focus.
    if (document.activeElement?.id !== "project") view.focus({ preventScroll: true });
    return view;
}

let outlastsView = false;

/**
 * Tells what happened, for the eye and for screen readers.
 * @param outlasts whether it stays when the next view is shown.
 */
export function tell(text, isBad = false, outlasts = false) {
    outlastsView = outlasts;
    const news = document.getElementById("news");
    news.className = isBad ? "bad" : "good";
    news.setAttribute("role", isBad ? "alert" : "status");
    news.textContent = text;
}

/** Ends what was told about the last view. */
export function endNews() {
    if (!outlastsView) tell("");
    outlastsView = false;
}
