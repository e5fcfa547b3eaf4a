import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = "docs/decisions";
const files = readdirSync(folder).filter((name) => /^\d/.test(name));
const index = readFileSync(`${folder}/README.md`, "utf8");

type Decision = { number: string; title: string; status: string; area: string };

function read(file: string): Decision {
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const head = /^# (\d{4}) (.+)\n\n- Status: (.+)\n- Date: \d{4}-\d\d-\d\d\n- Area: (.+)\n\n/.exec(text);
  if (!head) throw new Error(`${file} doesn't begin like docs/decisions/template.md`);
  const [, number = "", title = "", status = "", area = ""] = head;
  return { number, title, status, area };
}

/** The rows of an area in the index. */
function rowsUnder(area: string): string[] {
  const [, after = ""] = index.split(`\n## ${area}\n`);
  const [own = ""] = after.split("\n## ");
  // The formatter pads the cells of tables.
  return own
    .replaceAll(/ {2,}/g, " ")
    .split("\n")
    .filter((line) => /^\| \d/.test(line));
}

describe("decisions", () => {
  test.each(files)("%s follows the template, is named after its number, and says why and what", (file) => {
    expect(file).toMatch(new RegExp(`^${read(file).number}-[a-z0-9-]+\\.md$`));
    const text = readFileSync(`${folder}/${file}`, "utf8");
    expect(text.match(/^## .*$/gm)).toEqual(expect.arrayContaining(["## Context", "## Decision"]));
  });

  test("have distinct numbers", () => {
    const numbers = files.map((file) => read(file).number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test("are in the index under their area with title and status, and the index contains nothing else", () => {
    const areas = [...index.matchAll(/^## (.+)$/gm)].map(([, area = ""]) => area);
    const expected = areas.map((area) =>
      files
        .map((file) => ({ file, ...read(file) }))
        .filter((decision) => decision.area === area)
        .map(({ number, title, file, status }) => `| ${number} | [${title}](${file}) | ${status} |`),
    );
    expect(areas.map(rowsUnder)).toEqual(expected);
    expect(expected.flat()).toHaveLength(files.length);
  });

  test("that were replaced name an existing decision", () => {
    const replaced = files.flatMap((file) => [...read(file).status.matchAll(/superseded (?:in part )?by (\d{4})/g)]);
    const missing = replaced.filter(([, by = ""]) => !files.some((file) => file.startsWith(by)));
    expect(replaced.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });
});
