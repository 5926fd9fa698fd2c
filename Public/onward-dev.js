// The pages of onward dev: comfort only, every page works without it.
"use strict";

// The inbox asks for its version every two seconds, while it is looked at, and loads what is new.
const live = document.getElementById("live");
if (live) {
    let asking = false;
    const look = async () => {
        const shown = document.getElementById("live");
        if (asking || document.hidden || shown.contains(document.activeElement)) return;
        asking = true;
        try {
            const version = await (await fetch("/inbox/version.txt")).text();
            if (version === shown.dataset.version) return;
            const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
            const fresh = page.getElementById("live");
            if (!fresh) return;
            showTimes(fresh);
            shown.replaceWith(fresh);
            document.getElementById("news").textContent = "The inbox has changed.";
        } catch {
            // The server is being restarted: the next look may find it.
        } finally {
            asking = false;
        }
    };
    setInterval(look, 2000);
    document.addEventListener("visibilitychange", look);
}

// The ages of what is shown grow, in the words of the server.
setInterval(() => {
    for (const time of document.querySelectorAll("time.age")) {
        const minutes = Math.floor((Date.now() - new Date(time.dateTime)) / 60000);
        const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [Math.floor(minutes / 60), "hour"] : [Math.floor(minutes / 1440), "day"];
        time.textContent = count < 1 ? "just now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
    }
}, 30000);
