/** One file of docs/reference. */
export type Page = { file: string; title: string; about: string; sections: string[] };

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").trim();
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** `a`, `b`, or a word for an empty list. */
export function codes(list: readonly string[], none = "–"): string {
  return list.length === 0 ? none : list.map(code).join(", ");
}

/** Capitalised, with a full stop: comments are sentences or fragments. */
export function sentence(text: string): string {
  const [first = ""] = text;
  return text === "" ? "" : `${first.toUpperCase()}${text.slice(1)}${/[.!?…:]$|^`[^`]*`$/.test(text) ? "" : "."}`;
}

export function section(heading: string, ...parts: string[]): string {
  return [`## ${heading}`, ...parts].join("\n\n");
}

export function spell({ title, about, sections }: Page): string {
  const generated = "<!-- Generated from the code by `npm run docs`. Edit the code, not this file. -->";
  return `${[generated, `# ${title}`, about, ...sections].join("\n\n")}\n`;
}
