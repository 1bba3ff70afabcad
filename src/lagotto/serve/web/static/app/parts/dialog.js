// A modal dialog: the browser keeps the focus in it and closes it on Escape.
import { html, useEffect, useRef } from "./html.js";

export function Dialog({ title, close, children, side = false }) {
  const box = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  return html`<dialog
    ref=${box}
    class=${side ? "side" : ""}
    aria-label=${title}
    onClose=${close}
    onClick=${(event) => event.target === box.current && box.current.close()}
  >
    <header>
      <h2>${title}</h2>
      <button class="quiet" aria-label="Close" onClick=${() => box.current.close()}>×</button>
    </header>
    <div class="content">${children}</div>
  </dialog>`;
}
