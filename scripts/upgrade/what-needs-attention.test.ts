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
    const added = "declare module {\n  interface ProductConfig {\n    sails?: number;\n  }\n}\n";
    expect(newSettings({ before: null, now: added }, {})).toEqual(["sails"]);
    const own = readFileSync("app/modules/catalogue/rules.ts", "utf8");
    expect(newSettings({ before: null, now: own }, {})).toContain("jurisdiction");
  });

  const original = `
    import { content } from "./elsewhere.ts";
    const command = "npm start";
    const en = {
      title: "Sign in",
      lead:
        "Hello",
      rows: ["One", "Two"],
      problems: { title: "No", "email-missing": "Enter it." } satisfies Record<string, string>,
      steps: {
        "to-do": () =>
          \`Run \${command}.\`,
      },
      ...content.en,
    };
    export const texts: Messages<typeof en> = { en };`;
  /** The changed ones of all texts that are replaced here, by what the release wrote in place of something. */
  const changed = (was: string, is: string) =>
    changedTexts({ before: original, now: original.replace(was, is) }, "texts", {
      en: {
        title: "Welcome",
        lead: (name: string) => name,
        rows: ["One"],
        problems: { title: "Nope", "email-missing": "?" },
        steps: { "to-do": () => "Go." },
      },
    });

  test.each([
    ["Sign in", "Log in", ["en.title"]],
    ['"Hello"', '"Hi"', ["en.lead"]],
    ["Two", "Three", ["en.rows"]],
    ['"No"', '"Not so"', ["en.problems.title"]],
    ["Run $", "Start $", ["en.steps.to-do"]],
    ["npm start", "npm run dev", ["en.steps.to-do"]],
    ['"email-missing"', '"email-absent"', ["en.problems.email-missing"]],
  ])("a replaced text is listed by its path when its original changes: %s, %s", (was, is, paths) => {
    expect(changed(was, is)).toEqual(paths);
  });

  test.each([
    ['"Sign in"', "\n 'Sign in'"],
    ["title:", "/** Why. */ title:"],
    ["const en", "const other = 1;\nconst en"],
    ["rows:", 'added: "Lead", rows:'],
  ])("what reads the same isn't listed: %j, %j", (was, is) => {
    expect(changed(was, is)).toEqual([]);
  });

  test("a text whose file or constant is gone is listed, and one that another file brings when what is around it changes", () => {
    const one = { en: { title: "Welcome" } };
    expect(changedTexts({ before: original, now: null }, "texts", one)).toEqual(["en.title"]);
    expect(
      changedTexts({ before: original, now: original.replace("const texts", "const words") }, "texts", one),
    ).toEqual(["en.title"]);
    const another = { en: { closing: "Bye" } };
    const now = original.replace("Hello", "Hi");
    expect(changedTexts({ before: original, now }, "texts", another)).toEqual(["en.closing"]);
    expect(changedTexts({ before: original, now: original }, "texts", another)).toEqual([]);
  });

  test("the originals of this repository's messages files are found, wherever they begin", () => {
    const file = "app/routes/landing/first-payment-steps.messages.ts";
    const before = readFileSync(file, "utf8");
    const [, constant = ""] = /^export const (\w+)/m.exec(before) ?? [];
    const now = before.replaceAll("${setUpCommand(", "a ${setUpCommand(");
    expect(now).not.toBe(before);
    const replaced = { en: { steps: { stripe: { "to-do": () => "Ask Ada." } } } };
    expect(changedTexts({ before, now }, constant, replaced)).toEqual(["en.steps.stripe.to-do"]);
  });
});
