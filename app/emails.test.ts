import { describe, expect, test } from "vitest";
import { samples } from "../scripts/mail-preview/samples.ts";
import { emailTexts } from "./emails.ts";
import { emailTextOf } from "#app/modules/email/write-text.rules.ts";
import { failureMessages } from "#app/modules/email/messages/failures.messages.ts";
import { receiptMessages } from "#app/modules/email/messages/receipt.messages.ts";
import { withNumbers } from "#app/modules/email/receipt-facts.rules.ts";
import { renderEmail } from "#app/modules/email/render-email.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";

const names = {
  product: "Heron",
  support: "help@heron.example",
  lockedMeans: "It rests.",
  dataWhenSmaller: "The newest levels stay.",
  free: { name: "Heron Free", points: ["1 nest"] },
};
const to = "mara@example.org";

const contents = Object.values(samples)
  .flat<EmailContent[][]>()
  .map((content, index) => [`${content.template} (${index})`, content] as const);

function render(content: EmailContent, recipient = to) {
  const written = emailTextOf(emailTexts, content, names);
  return { written, ...renderEmail(written, recipient, names) };
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
  return changed(content, change, "") as EmailContent;
}

function changed(fact: unknown, change: (fact: string, name: string) => string, name: string): unknown {
  if (["template", "purpose", "code", "cause"].includes(name)) return fact;
  if (typeof fact === "string") return isChosen(name, fact) ? fact : change(fact, name);
  if (Array.isArray(fact)) return fact.map((part) => changed(part, change, name));
  if (typeof fact !== "object" || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([key, part]) => [key, changed(part, change, key)]));
}

/** One of a few words, such as what a sum of a receipt is; or a country's code. */
function isChosen(name: string, fact: string): boolean {
  return name === "country" || (["kind", "what", "method"].includes(name) && /^[a-z-]+$/.test(fact));
}

describe.each(contents)("the email %s", (_, content) => {
  test("has the same contents in its text part and in its HTML part", () => {
    const { written, text, html } = render(content);
    const more = written.more ? [written.more.label] : [];
    const texts = [written.heading, ...written.before, ...written.after, ...more, written.reason, names.support];
    const visible = shown(html);
    for (const sentence of texts) {
      expect(text).toContain(sentence);
      expect(visible).toContain(sentence);
    }
    expect(`${text}${html}`).not.toMatch(/undefined|\bnull\b|\[object|NaN/);
  });

  test("names the product, says why it was sent, and offers an address for questions", () => {
    const { written, text } = render(content);
    expect(written.subject).toContain("Heron");
    expect(written.reason).not.toBe("");
    expect(text.split("\n-- \n")).toHaveLength(2);
    expect(text.split("\n-- \n")[1]).toContain(`${written.reason}\n`);
    expect(text.endsWith("Heron · help@heron.example\n")).toBe(true);
  });

  test("has a subject that an inbox shows completely", () => {
    expect(render(content).written.subject.length).toBeLessThanOrEqual(70);
  });

  test("has no run of eight digits in its subject except the code, whatever the facts are", () => {
    const runs = /\d{8,}/g;
    const code = "code" in content ? [content.code] : [];
    // A meter's label comes from the config, which checkConfig checks.
    const isSafe = (name: string) =>
      // Amounts have groups of three digits.
      ("plan" in content && name === "amount") || (content.template.startsWith("usage-") && name === "what");
    const anyFact = (fact: string, name: string) => (isSafe(name) ? fact : "12345678");
    expect(render(content).subject.match(runs) ?? []).toEqual(code);
    expect(render(withFacts(content, anyFact)).subject.match(runs) ?? []).toEqual(code);
  });

  test("lets no fact begin a new line, header or tag", () => {
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

  test("loads nothing, has a language and a dark scheme, and links only where its facts say", () => {
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

test("the eight digits are large in the HTML, in two groups, and appear nowhere else in the text", () => {
  const { text, html } = render(samples.code[0]);
  expect(text).toContain("\n\n    4071 2836\n\n");
  expect(html).toMatch(/class="code"[^>]*>4071 2836</);
});

describe("a receipt", () => {
  const [bought, covered] = samples.receipt;
  const facts = bought.receipt;

  test("has in both parts its number, lines, tax, total, payment method, seller and buyer", () => {
    const { text, html, written } = render(bought);
    const visible = shown(html);
    const country = new Intl.DisplayNames("en", { type: "region" }).of("SE") ?? "";
    const texts = [
      ...facts.lines.flatMap(({ what, amount }) => [what, amount]),
      ...facts.sums.map(({ amount }) => amount),
      ...(written.receipt?.sums ?? []).map(({ label }) => label),
      bought.amount,
      facts.paid,
      "••••\u00a04242",
      String(facts.number),
      facts.seller.name,
      ...facts.seller.address,
      String(facts.seller.vatId),
      facts.buyer.name,
      ...facts.buyer.address,
      ...facts.buyer.vatIds,
      country,
    ];
    for (const fact of texts) expect([fact, text.includes(fact), visible.includes(fact)]).toEqual([fact, true, true]);
    expect(text).not.toContain(receiptMessages.en.noTax);
  });

  test("of a seller without tax has the wording for it", () => {
    const exempt = samples.receipt[2];
    const { text, html } = render(exempt ?? bought);
    const wording = String(exempt?.receipt.noTax?.exemption);
    expect([text.includes(wording), shown(html).includes(wording)]).toEqual([true, true]);
  });

  test("has its amount and plan in the subject and in the first line", () => {
    for (const content of [...samples.receipt, ...samples["payment-arrived"]]) {
      const { subject, text } = render(content);
      for (const fact of [content.amount, content.plan ?? ""]) {
        expect(subject).toContain(fact);
        expect(text.split("\n")[0]).toContain(fact);
      }
    }
  });

  test("without tax says why, and a receipt without a payment says that nothing was due", () => {
    const { text, html } = render(covered ?? bought);
    expect(text).toContain(receiptMessages.en.noTax);
    expect(shown(html)).toContain(receiptMessages.en.noTax);
    expect(text).toContain(receiptMessages.en.nothingPaid(facts.paid));
  });

  test("gets its order's number when it is sent, whatever it was queued with", () => {
    const withdrawUrl = "https://preview.example/withdraw?order=ord_1&ref=ord_1";
    const queued = { ...bought, withdrawUntil: "1 May", withdrawUrl, receipt: { ...facts, number: null } };
    expect(render(queued).text).not.toContain("2026-000041");
    const numbers = { order: "2026-000041", creditNote: null };
    expect(render(withNumbers(queued, numbers)).text).toContain(receiptMessages.en.title("invoice", "2026-000041"));
    // What its reader knows is filled in; the id stays, and proves who followed the link.
    expect(render(withNumbers(queued, numbers)).text).toContain("/withdraw?order=2026-000041&ref=ord_1");
    expect(withNumbers(samples["account-erased"][0], numbers)).toEqual(samples["account-erased"][0]);
  });

  test("and a credit note gets its own number, with the invoice's", () => {
    const [refund] = samples.refund;
    const note = refund.creditNote;
    if (!note) throw new Error("The sample has no credit note");
    const queued = { ...refund, creditNote: { ...note, number: null, corrects: null } };
    const { text } = render(withNumbers(queued, { order: "2026-000041", creditNote: "CN-2026-000007" }));
    expect(text).toContain(receiptMessages.en.title("credit-note", "CN-2026-000007"));
    expect(text).toContain(receiptMessages.en.issued(note.paid, "2026-000041"));
  });
});

test("optional emails say how to switch them off, and others don't", () => {
  const optional = new Set(contents.flatMap(([, content]) => (render(content).written.off ? [content.template] : [])));
  expect([...optional]).toEqual(["renewal-notice", "reward-earned", "reward-reversed", "usage-high", "usage-full"]);
  for (const template of optional) {
    const [content] = samples[template];
    const { written, text } = render(content);
    expect(text).toContain(`\n${written.off?.label}:\nhttps://preview.example/settings/notifications\n`);
  }
});

/** The paragraphs before an email's button, of which a fact decides some. */
const before = (content: EmailContent, facts: Parameters<typeof emailTextOf>[2] = names) =>
  emailTextOf(emailTexts, content, facts).before;
const onlyIn = (some: string[], others: string[]) => some.filter((line) => !others.includes(line));

test("a failed renewal's email says what follows: another try, the lock, or nothing more", () => {
  const [first, locked] = samples["renewal-failed"];
  for (const { accessUntil, nextTry } of samples["renewal-failed"]) {
    const facts = { accessUntil, nextTry };
    const text = before({ ...first, ...facts }).join("\n");
    for (const day of [accessUntil, nextTry]) if (day !== null) expect(text).toContain(day);
  }
  expect(before(locked ?? first).join()).toContain("180");
  for (const change of [{ accessUntil: null }, { nextTry: null }]) {
    expect(onlyIn(before({ ...first, ...change }), before(first))).toHaveLength(1);
  }
  const shown = [...samples["renewal-failed"], ...samples["plan-locked"]].map((content) => render(content).text);
  for (const text of shown) expect(text).toContain(names.lockedMeans);
});

test("the subjects of a changed plan and a failed renewal name the plan and the date, unless the name has eight digits", () => {
  const [changed] = samples["plan-changed"];
  const [failed] = samples["renewal-failed"];
  const subjectOf = (content: EmailContent) => render(content).written.subject;
  const named = subjectOf({ ...changed, from: "Heron Small", to: "Heron Large" });
  expect(named).toContain("Large");
  expect(named.split("Heron")).toHaveLength(2);
  const unnamed = subjectOf({ ...changed, from: "Heron Small", to: "Heron 12345678" });
  expect(unnamed).not.toContain("12345678");
  expect(subjectOf({ ...changed, from: "Heron Small", to: "Heron" })).toBe(unnamed);
  expect(subjectOf({ ...changed, from: "Heron", to: "Heron" })).not.toBe(unnamed);
  expect(subjectOf(failed)).toContain("4 December 2026");
  const undated = subjectOf({ ...failed, accessUntil: "20261204" });
  expect(undated).not.toContain("20261204");
  expect(subjectOf({ ...failed, accessUntil: null })).not.toBe(undated);
});

test("an email about a refund names the withdrawal that it answers, and one about a failed payment the bank's reason", () => {
  const [answered] = samples.refund;
  expect(before(answered).join()).toContain("20 November 2026");
  expect(onlyIn(before({ ...answered, withdrawn: undefined }), before(answered))).toHaveLength(1);
  const [poor, unknown] = samples["payment-failed"].map((content) => render(content).text);
  expect(poor).toContain(failureMessages.en["no-funds"]);
  expect(unknown).toContain(failureMessages.en.other);
});

test("an email says that a plan has ended only if one has", () => {
  const [lost] = samples["dispute-lost"];
  const stays = before({ ...lost, planEnded: false });
  expect(onlyIn(before({ ...lost, planEnded: true }), stays)).not.toEqual([]);
  expect(onlyIn(stays, before({ ...lost, planEnded: true }))).toEqual([]);
  const [closed] = samples["account-closed"];
  const without = before({ ...closed, plan: null });
  expect(onlyIn(before({ ...closed, plan: "Heron Small" }), without).join()).toContain("Heron Small");
  expect(onlyIn(without, before({ ...closed, plan: "Heron Small" }))).toEqual([]);
});

test("an email about a plan that ends says that access ends with it if there is no free plan", () => {
  for (const content of [...samples["plan-cancelled"], ...samples["plan-ended"]]) {
    const without = before(content, { ...names, free: null });
    const free = onlyIn(before(content), without).join();
    for (const fact of ["Heron Free", "1 nest"]) expect(free).toContain(fact);
    expect(onlyIn(without, before(content))).toHaveLength(1);
  }
});

test("an email about a smaller or ending plan says what happens to the data, if the product defines it", () => {
  const sooner = [...samples["plan-cancelled"], ...samples["plan-ended"], ...samples["downgrade-planned"]];
  for (const content of sooner) {
    expect(render(content).text).toContain(names.dataWhenSmaller);
    const silent = emailTextOf(emailTexts, content, { ...names, dataWhenSmaller: undefined });
    expect(silent.before).toEqual(
      emailTextOf(emailTexts, content, names).before.filter((line) => line !== names.dataWhenSmaller),
    );
    expect(silent.before.every((line) => line !== "")).toBe(true);
  }
  const dated = { ...names, dataWhenSmaller: "Yours until {day}." };
  const [cancelled] = samples["plan-cancelled"];
  expect(emailTextOf(emailTexts, { ...cancelled, lastDayOfData: "1 May" }, dated).before).toContain(
    "Yours until 1 May.",
  );
  // Nobody knows the day.
  expect(emailTextOf(emailTexts, cancelled, dated).before.join()).not.toContain("Yours");
  const [planned] = samples["downgrade-planned"];
  expect(emailTextOf(emailTexts, { ...planned, to: planned.from }, names).before).not.toContain(names.dataWhenSmaller);
});
