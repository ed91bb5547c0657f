/* search.js: full-text search of the site, by lunr. Index and library are loaded when somebody wants them. */
(() => {
    const here = document.currentScript.src.replace(/[^/]*$/, "");
    const SHOWN = 12;

    const form = document.createElement("form");
    form.id = "search";
    form.setAttribute("role", "search");
    form.innerHTML = `<input type="search" aria-label="Search" placeholder="Search (press /)" autocomplete="off"
        spellcheck="false"><div id="found" role="status" hidden></div>`;
    const [input, found] = form.children;

    let ready; // the index, once it is there

    const load = name => new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = here + name;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${name} is not there`));
        document.head.append(script);
    });

    const prepare = () => ready ??= Promise.all([load("lunr.min.js"), load("search_index.js")])
        .then(() => lunr.Index.load(searchIndex.index));

    /* The words of a text, as search_index.py makes them. Where all are common ones, such as "any", each has the mark
     * that they have in a page's comment. */
    const words = text => {
        const all = text.toLowerCase().replaceAll("c++", "cpp").replace(/[^a-z0-9_]+/g, " ").split(" ").filter(Boolean);
        const rare = all.filter(word => lunr.stopWordFilter(word));
        return rare.length ? rare : all.map(word => `${word}_`);
    };

    /* What the index has for these words: all of them, then all as beginnings of words, then any of them. */
    const look = (index, list) => {
        const ask = (presence, wildcard) => index.query(query => list.forEach(word => query.term(word,
            { presence, wildcard, usePipeline: wildcard === lunr.Query.wildcard.NONE })));
        const { REQUIRED, OPTIONAL } = lunr.Query.presence;
        const { NONE, TRAILING } = lunr.Query.wildcard;
        const all = [...ask(REQUIRED, NONE), ...ask(REQUIRED, TRAILING)];
        return all.length ? all : ask(OPTIONAL, NONE);
    };

    /* Pages and names in the order of their results, each with its sections' results. A name that was typed whole is
     * first. */
    const rows = (results, typed) => {
        const list = new Map();
        const sections = new Map();
        for (const { ref } of results) {
            const page = searchIndex.entries[ref][3];
            if (page < 0) list.set(Number(ref), searchIndex.entries[ref]);
            else sections.set(page, new Set(sections.get(page)).add(searchIndex.entries[ref]));
        }
        const order = [...list.keys()];
        const exact = order.filter(ref => list.get(ref)[0].toLowerCase() === typed);
        return [...new Set([...exact, ...order])].slice(0, SHOWN)
            .map(ref => [list.get(ref), [...sections.get(ref) ?? []].slice(0, 3)]);
    };

    const link = ([title, address]) => {
        const node = document.createElement("a");
        node.href = here + address;
        node.textContent = title;
        return node;
    };

    const show = async () => {
        const typed = input.value.trim().toLowerCase();
        if (!typed) {
            found.hidden = true;
            return;
        }
        let index;
        try {
            index = await prepare();
        } catch (error) {
            found.replaceChildren(`The search does not work: ${error.message}.`);
            found.hidden = false;
            return;
        }
        if (typed !== input.value.trim().toLowerCase()) return; // somebody has typed on
        const list = words(typed);
        const items = list.length ? rows(look(index, list), typed) : [];
        found.replaceChildren(...items.map(([entry, sections]) => {
            const row = document.createElement("div");
            const about = document.createElement("small");
            about.textContent = entry[2];
            row.append(link(entry), " ", about);
            if (sections.length) {
                const places = document.createElement("p");
                sections.forEach((section, k) => places.append(k ? ", " : "", link(section)));
                row.append(places);
            }
            return row;
        }));
        if (!items.length) found.textContent = "Nothing was found.";
        found.dataset.query = typed;
        found.hidden = false;
    };

    const move = step => {
        const links = [input, ...found.querySelectorAll("a")];
        const next = links[links.indexOf(document.activeElement) + step];
        next?.focus();
    };

    form.addEventListener("submit", event => {
        event.preventDefault();
        const first = found.querySelector("a");
        if (first && !found.hidden) location.href = first.href;
    });
    input.addEventListener("focus", () => prepare().catch(() => {}));
    input.addEventListener("input", show);
    form.addEventListener("keydown", event => {
        if (event.key === "Escape") found.hidden = true;
        else if (event.key === "ArrowDown") move(1);
        else if (event.key === "ArrowUp") move(-1);
        else return;
        event.preventDefault();
    });
    document.addEventListener("keydown", event => {
        if (event.key !== "/" || /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName)) return;
        event.preventDefault();
        input.focus();
    });
    document.addEventListener("click", event => {
        if (!form.contains(event.target)) found.hidden = true;
    });
    document.querySelector("#titlearea").append(form);
})();
