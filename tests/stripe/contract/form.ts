/** Parameters as they were on the wire: texts, in hashes and lists. */
export type Wire = string | Wire[] | { [name: string]: Wire };

/** Reads `items[0][price]=…&expand[]=…`, of a body or a query. */
export function readForm(text: string): { [name: string]: Wire } {
  const root: { [name: string]: Wire } = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = [...name.matchAll(/[^[\]]+|(?<=\[)(?=\])/g)].map(([key]) => key);
    put(root, keys, value);
  }
  return listed(root) as { [name: string]: Wire };
}

function put(into: { [name: string]: Wire }, [key = "", ...rest]: string[], value: string): void {
  const name = key === "" ? String(Object.keys(into).length) : key;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = into[name];
  const next = typeof inner === "object" && !Array.isArray(inner) ? inner : {};
  into[name] = next;
  put(next, rest, value);
}

/** Hashes whose keys are 0, 1, 2 … are lists. */
function listed(value: Wire): Wire {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key], at) => key === String(at));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
