// Small choices that a browser remembers, such as the theme. A browser that refuses storage forgets them.
import { useState } from "./html.js";

export function recall(key, fallback) {
  try {
    const value = localStorage.getItem(`lagotto.${key}`);
    return value === null ? fallback : JSON.parse(value);
  } catch {
    return fallback;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`lagotto.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse.
  }
}

export function useStored(key, fallback) {
  const [value, setValue] = useState(() => recall(key, fallback));
  return [
    value,
    (next) => {
      remember(key, next);
      setValue(next);
    },
  ];
}
