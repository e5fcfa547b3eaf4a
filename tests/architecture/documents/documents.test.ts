import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { API_VERSION, WEBHOOK_EVENTS } from "../../../scripts/stripe/webhook.ts";

/** What documents say of the repository, as far as it can be checked. */
const documents = globSync(["*.md", "docs/**/*.md", "{workers,packages}/*/*.md", "app/features/*/*.md"]).toSorted();
const text = new Map(documents.map((name) => [name, readFileSync(name, "utf8")] as const));

test("commands that documents mention are in package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  // Of earlier releases and decisions, some are gone.
  const current = [...text].filter(([document]) => !/^(CHANGELOG\.md|docs\/decisions\/)/.test(document));
  const named = current.flatMap(([document, body]) =>
    [...body.matchAll(/\bnpm run ([a-z:-]+)/g)].map(([, script = ""]) => ({ document, script })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
});

test("links between documents lead to existing files", () => {
  const links = [...text].flatMap(([document, body]) =>
    [...body.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => ({ document, target })),
  );
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter(({ document, target }) => !existsSync(join(dirname(document), target)))).toEqual([]);
});

test("docs/guides/deploy.md lists the events that the webhook endpoint subscribes to, and its API version", () => {
  const deploy = text.get("docs/guides/deploy.md") ?? "";
  expect(deploy).toContain(`\`${API_VERSION}\``);
  expect(WEBHOOK_EVENTS.filter((event) => !deploy.includes(`\`${event}\``))).toEqual([]);
});
