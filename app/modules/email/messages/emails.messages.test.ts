import { describe, expect, test } from "vitest";
import { samples } from "../../../../scripts/mail-samples.ts";
import { wordsFor } from "./emails.messages.ts";
import { renderLetter } from "../render-email.ts";
import type { Letter } from "../rules.ts";

const names = { product: "Heron", support: "help@heron.example", lockedMeans: "It stands still.", hasFreePlan: true };
const to = "mara@example.org";

const letters = Object.values(samples)
  .flat<Letter[][]>()
  .map((letter, index) => [`${letter.template} (${index})`, letter] as const);

function render(letter: Letter, recipient = to) {
  const words = wordsFor(letter, names);
  return { words, ...renderLetter(words, recipient, names) };
}

/** What a mail program shows of the HTML part: its words, without what only the inbox shows. */
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

/** The same letter with `change` made to every fact that could come from a person; codes are drawn by us. */
function withFacts(letter: Letter, change: (fact: string, name: string) => string): Letter {
  const facts = Object.entries(letter).map(([name, fact]) => {
    const isOurs = ["template", "purpose", "code"].includes(name) || typeof fact !== "string";
    return [name, isOurs ? fact : change(fact, name)];
  });
  return Object.fromEntries(facts) as Letter;
}

describe.each(letters)("the mail %s", (_, letter) => {
  test("says the same in its text part and in its HTML part, and nothing is left out of either", () => {
    const { words, text, html } = render(letter);
    const more = words.more ? [words.more.label] : [];
    const said = [words.heading, ...words.before, ...words.after, ...more, words.reason, names.support];
    const visible = shown(html);
    for (const sentence of said) {
      expect(text).toContain(sentence);
      expect(visible).toContain(sentence);
    }
    expect(`${text}${html}`).not.toMatch(/undefined|\bnull\b|\[object|NaN/);
  });

  test("names the product, says why it came, and offers an address for questions", () => {
    const { words, text } = render(letter);
    expect(words.subject).toContain("Heron");
    expect(words.reason).toMatch(/^You get this mail because /);
    expect(text.split("\n-- \n")).toHaveLength(2);
    expect(text.split("\n-- \n")[1]).toContain(`${words.reason}\n`);
    expect(text.endsWith("Heron · help@heron.example\n")).toBe(true);
  });

  test("is calm: no exclamation mark, and a subject that an inbox shows whole", () => {
    const { words, text } = render(letter);
    expect(text).not.toContain("!");
    expect(words.subject.length).toBeLessThanOrEqual(70);
  });

  test("has no run of eight digits in its subject but the code, whatever the facts are", () => {
    const runs = /\d{8,}/g;
    const code = "code" in letter ? [letter.code] : [];
    // What a meter is called stands in the config; judgeConfig looks at that.
    const anyFact = (fact: string, name: string) =>
      letter.template.startsWith("usage-") && name === "what" ? fact : "12345678";
    expect(render(letter).subject.match(runs) ?? []).toEqual(code);
    expect(render(withFacts(letter, anyFact)).subject.match(runs) ?? []).toEqual(code);
  });

  test("lets no fact begin a line, a header or a tag of its own", () => {
    const plain = render(letter);
    for (const breaker of ["\r\n", "\r", "\n", "\u0000", "\u0085", "\u2028", "\u2029"]) {
      const evil = `${breaker}Bcc: all@example.com${breaker}<b onload="x">`;
      const {
        to: recipient,
        subject,
        text,
        html,
      } = render(
        withFacts(letter, (fact) => fact + evil),
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
    const { html } = render(letter);
    expect(html).not.toMatch(/<(img|link|script|iframe|form)\b|url\(|@import|src=/);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain("@media (prefers-color-scheme: dark)");
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll("&amp;", "&"));
    const withdraw = "withdrawUrl" in letter && letter.withdrawUrl !== null ? [letter.withdrawUrl] : [];
    const facts = [
      ...("url" in letter ? [letter.url] : []),
      ...withdraw,
      ...("offUrl" in letter ? [letter.offUrl] : []),
    ];
    expect(links).toEqual([...facts, `mailto:${names.support}`]);
  });
});

test("the eight digits stand large in the body, in two groups, and nowhere else in words", () => {
  const { text, html } = render(samples.code[0]);
  expect(text).toContain("\n\n    4071 2836\n\n");
  expect(html).toMatch(/class="code"[^>]*>4071 2836</);
});

test("those that may be switched off say how, and no other does", () => {
  const optional = new Set(letters.flatMap(([, letter]) => (render(letter).words.off ? [letter.template] : [])));
  expect([...optional]).toEqual(["renewal-notice", "reward-earned", "reward-reversed", "usage-high", "usage-full"]);
  for (const template of optional) {
    const [letter] = samples[template];
    expect(render(letter).text).toMatch(
      /\nSwitch .* off in your settings:\nhttps:\/\/preview\.example\/settings#mails\n/,
    );
  }
});

test("a renewal that failed says what comes next: another try, the lock, or nothing more", () => {
  const [first, locked, last] = samples["renewal-failed"].map((letter) => render(letter).text);
  expect(first).toContain("Nothing changes until 4 December 2026.");
  expect(first).toContain("We try again on 22 November 2026.");
  expect(locked).toContain("The plan stays locked until it is paid");
  expect(last).toContain("We don't try again by ourselves.");
  const [told] = samples["plan-locked"].map((letter) => render(letter).text);
  for (const text of [first, locked, told]) expect(text).toContain(names.lockedMeans);
});

test("an email on a plan that ends says that access ends with it, where there is no free plan", () => {
  for (const letter of [...samples["plan-cancelled"], ...samples["plan-ended"]]) {
    const [withFree, without] = [true, false].map((hasFreePlan) => wordsFor(letter, { ...names, hasFreePlan }).before);
    expect(without?.filter((line) => !withFree?.includes(line))).toEqual([
      expect.stringContaining(`can't use ${names.product} without a new plan`),
    ]);
  }
});
