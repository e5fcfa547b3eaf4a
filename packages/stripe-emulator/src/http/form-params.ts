/** What `a[b][0][c]=v` means: a tree of names with strings at its leaves. Lists are branches with the names 0, 1, 2 … */
export type Branch = Map<string, Node>;
export type Node = string | Branch;

/** Reads Stripe's form encoding. Query string and body are one set of parameters, as at Stripe. */
export function parseFormParams(...encoded: string[]): Branch {
  const root: Branch = new Map();
  for (const text of encoded) {
    for (const [name, value] of new URLSearchParams(text)) plant(root, pathOf(name), value);
  }
  return root;
}

/** `line_items[0][price]` -> line_items, 0, price. An empty pair of brackets means "the next one". */
function pathOf(name: string): string[] {
  const opening = name.indexOf("[");
  if (opening < 0) return [name];
  const inner = [...name.slice(opening).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? "");
  return [name.slice(0, opening), ...inner];
}

function plant(branch: Branch, [first = "", ...rest]: string[], value: string): void {
  const name = first === "" ? String(branch.size) : first;
  if (rest.length === 0) {
    branch.set(name, value);
    return;
  }
  const existing = branch.get(name);
  const next: Branch = existing instanceof Map ? existing : new Map();
  branch.set(name, next);
  plant(next, rest, value);
}

/** The same parameters in any order give the same text: idempotency keys are compared by it. */
export function fingerprintOf(branch: Branch): string {
  const parts = [...branch].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([name, node]) => `${name}:${node instanceof Map ? fingerprintOf(node) : JSON.stringify(node)}`).join(",")}}`;
}
