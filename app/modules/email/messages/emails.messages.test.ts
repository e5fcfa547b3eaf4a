import { describe, expect, test } from "vitest";
import { samples } from "../../../../scripts/mail-preview/samples.ts";
import { emailTextOf } from "./emails.messages.ts";
import { renderEmail } from "../render-email.ts";
import type { EmailContent } from "../templates.rules.ts";

const names = { product: "Heron", support: "help@heron.example", lockedMeans: "It rests.", hasFreePlan: true };
const to = "mara@example.org";

const contents = Object.values(samples)
  .flat<EmailContent[][]>()
  .map((content, index) => [`${content.template} (${index})`, content] as const);

function render(content: EmailContent, recipient = to) {
  const messages = emailTextOf(content, names);
  return { messages, ...renderEmail(messages, recipient, names) };
}

/** The text of the HTML part without the preheader, which only the inbox shows. */
function shown(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, "")
    .replace(/<div style="display:none">.*<\/div>/, "")
    .replace(/<[^>]+>/g, "\n")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\n+/g, "\n");
}

/** The same email with `change` applied to every fact that a user could have entered; codes are generated. */
function withFacts(content: EmailContent, change: (fact: string, name: string) => string): EmailContent {
  const facts = Object.entries(content).map(([name, fact]) => {
    const isOurs = ["template", "purpose", "code"].includes(name) || typeof fact !== "string";
    return [name, isOurs ? fact : change(fact, name)];
  });
  return Object.fromEntries(facts) as EmailContent;
}

describe.each(contents)("the email %s", (_, content) => {
  test("says the same in its text part and in its HTML part, and nothing is left out of either", () => {
    const { messages, text, html } = render(content);
    const more = messages.more ? [messages.more.label] : [];
    const said = [messages.heading, ...messages.before, ...messages.after, ...more, messages.reason, names.support];
    const visible = shown(html);
    for (const sentence of said) {
      expect(text).toContain(sentence);
      expect(visible).toContain(sentence);
    }
    expect(`${text}${html}`).not.toMatch(/undefined|\bnull\b|\[object|NaN/);
  });

  test("names the product, says why it came, and offers an address for questions", () => {
    const { messages, text } = render(content);
    expect(messages.subject).toContain("Heron");
    expect(messages.reason).toMatch(/^You're receiving this email because /);
    expect(text.split("\n-- \n")).toHaveLength(2);
    expect(text.split("\n-- \n")[1]).toContain(`${messages.reason}\n`);
    expect(text.endsWith("Heron · help@heron.example\n")).toBe(true);
  });

  test("is calm: no exclamation mark, and a subject that an inbox shows whole", () => {
    const { messages, text } = render(content);
    expect(text).not.toContain("!");
    expect(messages.subject.length).toBeLessThanOrEqual(70);
  });

  test("has no run of eight digits in its subject but the code, whatever the facts are", () => {
    const runs = /\d{8,}/g;
    const code = "code" in content ? [content.code] : [];
    // A meter's label comes from the config, which checkConfig checks.
    const anyFact = (fact: string, name: string) =>
      content.template.startsWith("usage-") && name === "what" ? fact : "12345678";
    expect(render(content).subject.match(runs) ?? []).toEqual(code);
    expect(render(withFacts(content, anyFact)).subject.match(runs) ?? []).toEqual(code);
  });

  test("lets no fact begin a line, a header or a tag of its own", () => {
    const plain = render(content);
    for (const breaker of ["\r\n", "\r", "\n", "\u0000", "\u0085", "\u2028", "\u2029"]) {
      const evil = `${breaker}Bcc: all@example.com${breaker}<b onload="x">`;
      const {
        to: recipient,
        subject,
        text,
        html,
      } = render(
        withFacts(content, (fact) => fact + evil),
        to + breaker + to,
      );
      expect(`${recipient}${subject}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(text.split("\n")).toHaveLength(plain.text.split("\n").length);
      expect(text).not.toMatch(/^Bcc:/m);
      expect(html).not.toMatch(/<b |^Bcc:/m);
      expect(html.match(/</g)).toHaveLength(plain.html.match(/</g)?.length ?? 0);
    }
  });

  test("fetches nothing, has a language and a dark side, and links only where its facts say", () => {
    const { html } = render(content);
    expect(html).not.toMatch(/<(img|link|script|iframe|form)\b|url\(|@import|src=/);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain("@media (prefers-color-scheme: dark)");
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll("&amp;", "&"));
    const withdraw = "withdrawUrl" in content && content.withdrawUrl !== null ? [content.withdrawUrl] : [];
    const facts = [
      ...("url" in content ? [content.url] : []),
      ...withdraw,
      ...("offUrl" in content ? [content.offUrl] : []),
    ];
    expect(links).toEqual([...facts, `mailto:${names.support}`]);
  });
});

test("the eight digits are large in the body, in two groups, and nowhere else in the text", () => {
  const { text, html } = render(samples.code[0]);
  expect(text).toContain("\n\n    4071 2836\n\n");
  expect(html).toMatch(/class="code"[^>]*>4071 2836</);
});

test("those that may be switched off say how, and no other does", () => {
  const optional = new Set(contents.flatMap(([, content]) => (render(content).messages.off ? [content.template] : [])));
  expect([...optional]).toEqual(["renewal-notice", "reward-earned", "reward-reversed", "usage-high", "usage-full"]);
  for (const template of optional) {
    const [content] = samples[template];
    expect(render(content).text).toMatch(/\nTurn off .* emails:\nhttps:\/\/preview\.example\/settings#mails\n/);
  }
});

test("a renewal that failed says what comes next: another try, the lock, or nothing more", () => {
  const [first, locked, last] = samples["renewal-failed"].map((content) => render(content).text);
  expect(first).toContain("Pay by 4 December 2026 to keep your plan. After that, it's locked.");
  expect(first).toContain("We'll try again on 22 November 2026.");
  expect(locked).toContain("Your plan is locked until you pay.");
  expect(last).toContain("We won't try again automatically.");
  const [shown] = samples["plan-locked"].map((content) => render(content).text);
  for (const text of [first, locked, shown]) expect(text).toContain(names.lockedMeans);
});

test("an email on a plan that ends says that access ends with it, where there is no free plan", () => {
  for (const content of [...samples["plan-cancelled"], ...samples["plan-ended"]]) {
    const [withFree, without] = [true, false].map(
      (hasFreePlan) => emailTextOf(content, { ...names, hasFreePlan }).before,
    );
    expect(without?.filter((line) => !withFree?.includes(line))).toEqual([
      expect.stringContaining(`can't use ${names.product} without a new plan`),
    ]);
  }
});
