// Files to upload: chosen or dropped, read here, and bounded.
import { html, useState } from "../parts/html.js";
import { bytes } from "../parts/format.js";
import { say } from "../parts/toasts.js";

const LARGEST = 2_000_000;
const MOST = 200;

async function readAll(files, take) {
  const read = [];
  for (const file of [...files].slice(0, MOST)) {
    if (file.size > LARGEST) say(`${file.name} is larger than ${bytes(LARGEST)}; it is left out.`, "bad");
    else read.push({ name: file.name, text: await file.text() });
  }
  if (files.length > MOST) say(`Only the first ${MOST} files are taken.`, "bad");
  if (read.length) take(read);
}

export function FilePicker({ label, take, single = false }) {
  const [over, setOver] = useState(false);
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    readAll(single ? [...event.dataTransfer.files].slice(0, 1) : event.dataTransfer.files, take);
  };
  return html`<label
    class="drop ${over ? "over" : ""}"
    onDragOver=${(event) => {
      event.preventDefault();
      setOver(true);
    }}
    onDragLeave=${() => setOver(false)}
    onDrop=${drop}
  >
    ${label}: drop ${single ? "a file" : "files"} here, or choose
    <input
      type="file"
      multiple=${!single}
      accept=".txt,.html,.htm,.md,.csv,.tsv,.log,text/*"
      onChange=${(event) => {
        readAll(event.target.files, take);
        event.target.value = "";
      }}
    />
  </label>`;
}
