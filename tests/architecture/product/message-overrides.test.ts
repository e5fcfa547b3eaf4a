import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { build } from "vite";
import type { MessageOverrides } from "#app/message-overrides.ts";
import { messageOverrides } from "../../../scripts/site/message-overrides.ts";

const folder = mkdtempSync(join(tmpdir(), "foyer-messages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const page = `
  import { createElement } from "react";
  import { renderToStaticMarkup } from "react-dom/server";
  import { useMessages } from "#app/ui/hooks/use-messages.ts";
  import { loginMessages } from "#app/routes/login/messages.ts";
  const Page = () => {
    const { title, submit, problems } = useMessages(loginMessages);
    return createElement("p", {}, [title, submit, ...Object.values(problems)].join("|"));
  };
  export default renderToStaticMarkup(createElement(Page));`;
const email = `
  import { emailTexts } from "#app/emails.ts";
  import { emailTextOf } from "#app/modules/email/write-text.rules.ts";
  import { renderEmail } from "#app/modules/email/render-email.ts";
  const names = { product: "Acme", support: "help@acme.example", lockedMeans: "Nothing moves.", free: null };
  const write = (content) => renderEmail(emailTextOf(emailTexts, content, names), "a@example.com", names).subject;
  const url = "https://acme.example/";
  export default [
    write({ template: "code", purpose: "sign-in", code: "123456", validMs: 600_000, url }),
    write({ template: "restored", url }),
  ].join("|");`;

/** What a module exports that is built as the site is, with texts in the product's messages file; and the module's source. */
async function built(entry: string, messages: string): Promise<{ result: string; code: string }> {
  writeFileSync(join(folder, "messages.ts"), messages);
  const input = join(folder, "entry.js");
  writeFileSync(input, entry);
  const output = await build({
    configFile: false,
    logLevel: "error",
    plugins: [messageOverrides(join(folder, "config.ts"))],
    resolve: { alias: { "#app": resolve("app") }, dedupe: ["react", "react-dom"] },
    build: { ssr: input, write: false, minify: false },
  });
  if (!("output" in output)) throw new Error("nothing was built");
  const [{ code }] = output.output;
  const file = resolve(`node_modules/.message-overrides-${Date.now()}.mjs`);
  writeFileSync(file, code);
  try {
    const { default: result } = (await import(/* @vite-ignore */ file)) as { default: string };
    return { result, code };
  } finally {
    rmSync(file);
  }
}

const own = `import type { MessageOverrides } from "#app/message-overrides.ts";
const ask = "Which address is yours?";
const subject = (code: string) => "Acme says " + code;
export const messages: MessageOverrides = {
  loginMessages: { en: { title: "Welcome back", problems: { "email-missing": ask } } },
  accountEmails: {
    en: {
      code: (content) => ({ subject: subject(content.code), heading: "Hello", before: [], after: [], reason: "You asked." }),
    },
  },
};
`;

test("a product's texts replace those of a page and of an email, and the rest are unchanged", async () => {
  const [title, submit, missing, malformed] = (await built(page, own)).result.replaceAll(/<\/?p>/g, "").split("|");
  expect([title, missing]).toEqual(["Welcome back", "Which address is yours?"]);
  expect([submit, malformed]).toEqual(
    (await built(page, none)).result
      .replaceAll(/<\/?p>/g, "")
      .split("|")
      .filter((_, at) => at % 2 === 1),
  );
  const [code, restored] = (await built(email, own)).result.split("|");
  expect([code, restored]).toEqual(["Acme says 123456", (await built(email, none)).result.split("|")[1]]);
});

const none = `export const messages = {};`;

test("a page loads only the texts of its own files, and none if nothing is replaced", async () => {
  const { code } = await built(page, own);
  expect(code).toContain("Welcome back");
  expect(code).not.toContain("Acme says");
  expect((await built(page, none)).code).not.toContain("overrideTexts");
});

test("texts that don't exist, and values of a wrong type, don't compile", () => {
  const right: MessageOverrides = { loginMessages: { en: { title: "Welcome back" } } };
  // @ts-expect-error No such constant.
  const noConstant: MessageOverrides = { loginTexts: {} };
  // @ts-expect-error No such text.
  const noText: MessageOverrides = { loginMessages: { en: { titel: "Welcome back" } } };
  // @ts-expect-error A text, not a function.
  const noFunction: MessageOverrides = { loginMessages: { en: { title: () => "Welcome back" } } };
  // @ts-expect-error An email's text has a subject.
  const noSubject: MessageOverrides = { accountEmails: { en: { code: () => ({ heading: "Hello" }) } } };
  expect([right, noConstant, noText, noFunction, noSubject]).toHaveLength(5);
});
