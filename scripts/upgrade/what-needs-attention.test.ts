import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { changedTexts, newEntries, newSettings } from "./what-needs-attention.ts";

const changelog = (...entries: string[]) =>
  `# Changelog\n\n## 2.0.0\n\n### Upgrading\n\n${entries.map((entry) => `- ${entry}\n`).join("")}\n### Added\n\n- Ships.\n`;

describe("after a release was merged", () => {
  test("new entries of the changelog about upgrading are listed, each on a line", () => {
    const versions = { before: changelog("Run this."), now: changelog("Run this.", "Set that\n  and deploy.") };
    expect(newEntries(versions)).toEqual(["Set that and deploy."]);
    expect(newEntries({ ...versions, before: null })).toEqual(["Run this.", "Set that and deploy."]);
    expect(newEntries({ before: versions.now, now: versions.now })).toEqual([]);
  });

  test("the entries of this repository's changelog are found", () => {
    const now = readFileSync("CHANGELOG.md", "utf8");
    expect(newEntries({ before: null, now }).length).toBeGreaterThan(3);
  });

  test("new optional settings are listed unless the product has them", () => {
    const before = "export type ProductConfig = {\n  name: string;\n  colour?: string;\n};\n";
    const now =
      "export type ProductConfig = {\n  name: string;\n  colour?: string;\n  shape?: string;\n  size?: 1;\n};\n";
    expect(newSettings({ before, now }, { name: "Shop", size: 1 })).toEqual(["shape"]);
    const own = readFileSync("app/modules/catalogue/rules.ts", "utf8");
    expect(newSettings({ before: null, now: own }, {})).toContain("jurisdiction");
  });

  test("replaced texts whose original changed are listed by their path", () => {
    const before =
      'const en = {\n  title: "Sign in",\n  lead: "Hello",\n  problems: { "email-missing": "Enter it." },\n};\n';
    const now = before.replace("Sign in", "Log in");
    const replaced = { en: { title: "Welcome", lead: (name: string) => name } };
    expect(changedTexts({ before, now }, replaced)).toEqual(["en.title"]);
    expect(changedTexts({ before, now: null }, replaced)).toEqual(["en.title", "en.lead"]);
  });
});
