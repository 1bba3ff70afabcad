// Preact with htm: templates without a build step. Everything in ${} becomes text, never markup.
import { h, render, Fragment } from "../../vendor/preact.mjs";
import htm from "../../vendor/htm.mjs";

export { render, Fragment };
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact-hooks.mjs";
export const html = htm.bind(h);
