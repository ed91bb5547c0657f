/* copy.js: a button beside the name of each whole program, which copies its text. */
for (const program of document.querySelectorAll("details.program")) {
    const button = document.createElement("button");
    button.textContent = "Copy";
    button.onclick = async () => {
        const text = program.querySelector("pre");
        getSelection().selectAllChildren(text);
        try {
            await navigator.clipboard.writeText(text.textContent);
        } catch { /* pages that come without encryption have no clipboard */
            document.execCommand("copy");
        }
        button.textContent = "Copied";
    };
    program.querySelector("p").prepend(button, " ");
}
