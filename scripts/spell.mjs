/** An answer as people read it: indented names and values, lists of small things as tables, nothing that is empty. */
export function spell(value, depth = 0) {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}none`;
    return value.every(isFlat) ? table(value, indent) : value.map((part) => spell(part, depth)).join("\n\n");
  }
  if (!isObject(value)) return `${indent}${text(value)}`;
  const facts = Object.entries(value).filter(([, part]) => part !== null);
  const width = Math.max(...facts.filter(([, part]) => !isObject(part)).map(([name]) => name.length));
  return facts
    .map(([name, part]) =>
      isObject(part) ? `${indent}${name}\n${spell(part, depth + 1)}` : `${indent}${name.padEnd(width)}  ${text(part)}`,
    )
    .join("\n");
}

function table(rows, indent) {
  const heads = [...new Set(rows.flatMap(Object.keys))].filter((head) => rows.some((row) => row[head] != null));
  const cells = [heads, ...rows.map((row) => heads.map((head) => text(row[head])))];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) => `${indent}${row.map((cell, column) => cell.padEnd(widths[column])).join("  ")}`.trimEnd())
    .join("\n");
}

function isFlat(row) {
  return isObject(row) && !Array.isArray(row) && Object.values(row).every((part) => !isObject(part));
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}

function text(value) {
  return value === null || value === undefined ? "" : String(value);
}
