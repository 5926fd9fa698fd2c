// How the project's mails, its links and the server do.

import { element, facts, moment, show, table } from "./dom.js";
import { actionName, mailKind } from "./words.js";

const HOUR = 3_600_000;

export async function overview(server) {
    const { server: process, warnings, concernsServer, mails, counters } = await server.get("overview");
    const notes = warnings.filter(({ severity }) => severity === "note");
    show("Overview",
        list("Warnings", warnings.filter((one) => !notes.includes(one)), "There is nothing to warn of."),
        notes.length && list("Notes", notes),
        element("p", { class: "note" }, concernsServer
            ? ["The command ", element("code", {}, "onward doctor"), " asks other machines, too: the relays, the link domains, and the DNS about your senders."]
            : "This key works in one project and is warned of that only. An operator sees more, such as the server's disk."),
        mailsByKind(mails), relays(mails), ...(concernsServer ? links(counters) : []),
        element("h2", {}, "Server"),
        facts([
            ["Version", process.version], ["Schema", String(process.schema)], ["Nodes", String(process.nodes)], ["Runs since", moment(process.startedAt)],
        ]));
}

function list(title, warnings, empty) {
    return element("section", {}, element("h2", {}, title), warnings.length
        ? element("ul", { class: "state" }, warnings.map(({ severity, subject, says, remedy }) =>
            element("li", {}, element("strong", { class: severity === "error" && "bad" }, subject), ": " + says + ". ", remedy ?? "")))
        : element("p", { class: "empty" }, empty));
}

const sum = (groups) => groups.reduce((total, { count }) => total + count, 0);

/** A count as a word; the server counts no further than a limit. */
const counted = (count, limit) => (count < limit ? String(count || "None") : limit + " or more");

function mailsByKind({ waiting, oldestWaiting, parked, ended, since, countedTo }) {
    const kinds = [...new Set([...waiting, ...parked, ...ended].map(({ kind }) => kind))].sort();
    const rows = kinds.map((kind) => {
        const of = (groups) => groups.filter((one) => one.kind === kind);
        const [sent, lost] = [of(ended).filter(({ state }) => state === "sent"), of(ended).filter(({ state }) => state !== "sent")];
        return [mailKind(kind), plot(sent, lost, since), number(sum(sent)), number(sum(lost)), number(sum(of(waiting))), number(sum(of(parked)))];
    });
    return [
        table("Mails", ["Kind", "By hour", "Sent", "Not sent", "Wait", "Given up in all"], rows, "No mail waits, and none was sent or given up."),
        element("p", { class: "note" },
            counted(sum(waiting), countedTo), " wait. ", oldestWaiting && ["The oldest of them is of ", moment(oldestWaiting), ". "],
            counted(sum(parked), countedTo), " that were given up are kept. The hours, and what was sent or not, are since ", moment(since),
            ". The upper part of a bar was sent, the lower one was not; the highest bar is the busiest hour of its kind."),
    ];
}

const number = (count) => (count ? String(count) : "–");

/** The hours of a day as bars, with their numbers as text. */
function plot(sent, lost, since) {
    const first = Math.floor(Date.parse(since) / HOUR);
    const hours = Array.from({ length: 25 }, (_, index) => first + index);
    const inHour = (groups, hour) => sum(groups.filter((one) => Date.parse(one.hour) / HOUR === hour));
    const bars = hours.map((hour) => ({ hour, sent: inHour(sent, hour), lost: inHour(lost, hour) }));
    const most = Math.max(1, ...bars.map((bar) => bar.sent + bar.lost));
    const time = (hour) => new Date(hour * HOUR).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    const words = bars.filter((bar) => bar.sent + bar.lost)
        .map((bar) => time(bar.hour) + ": " + [bar.sent && bar.sent + " sent", bar.lost && bar.lost + " not sent"].filter(Boolean).join(", "));
    const height = 24;
    const drawn = bars.flatMap((bar, index) => {
        const [upper, lower] = [bar.sent, bar.lost].map((count) => count * height / most);
        return [
            rectangle("sent", index, height - upper - lower, upper), rectangle("lost", index, height - lower, lower),
        ].filter(Boolean);
    });
    return drawing("svg", { class: "plot", role: "img", viewBox: "0 0 100 " + height, "aria-label": words.join("; ") || "None" },
        drawing("title", {}, words.join("\n") || "None"), drawing("path", { class: "ground", d: "M0 " + height + "H100" }), ...drawn);
}

/** A bar that is seen, however small its share is. */
const rectangle = (name, index, y, share) => share > 0 && drawing("rect", { class: name, x: index * 4, y: Math.min(y, 23), width: 3, height: Math.max(share, 1) });

function drawing(name, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function relays({ waiting, parked, ended }) {
    const asked = [...ended.filter(({ relay }) => relay), ...parked.filter(({ relay }) => relay), ...waiting.filter(({ relay }) => relay)];
    const rows = [...new Set(asked.map(({ relay }) => relay))].sort().map((relay) => {
        const of = (groups) => groups.filter((one) => one.relay === relay);
        const answer = [...of(waiting), ...of(parked)].map((group) => group.answer).find(Boolean);
        return [
            relay, number(sum(of(ended).filter(({ state }) => state === "sent"))), number(sum(of(parked))), number(sum(of(waiting))), answer ?? "",
        ];
    });
    return table("Relays", ["Relay", "Took in these hours", "Given up in all", "Wait for another attempt", "One of its answers"], rows, "No relay was asked.");
}

/** The counters of all projects, since the process began. */
function links(counters) {
    const of = (name) => counters.filter((one) => one.name === name);
    const total = (name, isMeant) => sum(of(name).filter(({ labels }) => isMeant(labels)).map(({ value }) => ({ count: value })));
    const names = ["onward_codes_issued_total", "onward_codes_applied_total", "onward_codes_refused_total", "onward_links_opened_early_total"];
    const actions = [...new Set(names.flatMap(of).map(({ labels }) => labels.action))].sort();
    const each = (name, words) => of(name).map(({ labels, value }) => [...words(labels), String(value)]);
    return [
        table("Links", ["Link", "Asked for", "Used", "Refused", "Opened within ten seconds"],
            actions.map((action) => [actionName(action), ...names.map((name) => number(total(name, (labels) => labels.action === action)))]),
            "No link was asked for."),
        element("p", { class: "note" }, "In all projects since this process began. Who opens a link within ten seconds of its mail is mostly a program that checks mails."),
        table("Refused links", ["Link", "Reason", "How often"],
            each("onward_codes_refused_total", ({ action, reason }) => [actionName(action), reason]), "No link was refused."),
        table("Doubtful presses", ["Question", "Reason", "How often"],
            each("onward_press_questions_total", ({ question, reason }) => [questions[question] ?? question, reasons[reason] ?? reason]),
            "No press looked like a program's."),
        table("How doubtful presses ended", ["Question", "Answer", "How often"],
            each("onward_press_answers_total", ({ question, outcome }) => [questions[question] ?? question, outcomes[outcome] ?? outcome]),
            "No question was answered."),
        table("Reports about mails", ["From", "Report", "How often"],
            each("onward_mail_feedback_total", ({ provider, kind }) => [provider, kind]), "No provider reported a mail."),
    ];
}

const questions = { number: "The number in the mail", secondPress: "A second press", changedWays: "A look at the ways to sign in" };
const outcomes = { right: "Right", wrong: "Wrong", tooSoon: "Too soon" };
const reasons = {
    setting: "The project always asks", askedBefore: "Asked before", fastPress: "Pressed sooner than a person reads",
    freshMail: "Pressed within ten seconds of its mail", idleControl: "Another control was pressed first",
    choice: "A quiet button was pressed", changedWays: "The ways to sign in had changed",
};
