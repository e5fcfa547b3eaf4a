import { expect, test } from "vitest";
import { legalMessages } from "./messages.ts";

const facts: Parameters<(typeof legalMessages.en.imprint)["sections"]>[0] = {
  product: "Gull",
  seller: { name: "Gull Ltd", address: ["1 Pier"], vatId: "DE111111111" },
  imprint: ["Represented by: A. Gull"],
  support: "help@gull.example",
  version: "1 November 2026",
  withdrawalDays: 14,
  hasCancellationPage: true,
  revertDays: 14,
  errorReceiver: null,
  captcha: null,
  thirdParties: [],
  hasFreePlan: true,
  friendDiscount: null,
  comparesCustomers: false,
  taxRecordYears: 10,
};

const imprintOf = (vatId: string | null) =>
  JSON.stringify(legalMessages.en.imprint.sections({ ...facts, seller: { ...facts.seller, vatId } }));

test("the imprint has the seller's VAT ID, and no mention of one if there is none", () => {
  expect(imprintOf("DE111111111")).toContain("VAT ID DE111111111");
  for (const none of [null, ""]) expect(imprintOf(none)).not.toMatch(/vat/i);
});

test("the imprint has the lines that the law of the seller's country asks for", () => {
  expect(imprintOf(null)).toContain("Represented by: A. Gull");
});

test("the privacy notice names who is responsible, and the authority to complain to", () => {
  const lines = legalMessages.en.privacy.sections(facts).flatMap(({ text }) => text.flat());
  expect(lines.join("\n")).toContain("Gull Ltd, 1 Pier");
  expect(lines.join("\n")).toMatch(/complain/);
});

test("the privacy notice mentions hashes of customers only if these are compared", () => {
  const noticeOf = (comparesCustomers: boolean) =>
    JSON.stringify(legalMessages.en.privacy.sections({ ...facts, comparesCustomers }));
  expect(noticeOf(true)).toMatch(/keyed hash of it/);
  expect(noticeOf(true)).toMatch(/keyed hashes of your mailbox/);
  expect(noticeOf(false)).not.toMatch(/hash|fingerprint/);
});

test("the terms say that access ends with the plan if there is no free one", () => {
  const termsOf = (hasFreePlan: boolean) =>
    legalMessages.en.terms.sections({ ...facts, hasFreePlan }).flatMap(({ text }) => text.flat());
  const without = termsOf(true);
  expect(termsOf(false).filter((line) => !without.includes(line))).toEqual([
    expect.stringContaining(`need a plan to use ${facts.product}`),
  ]);
});

test("the terms inform of the right of withdrawal in the statutory wording, with the period, the seller and the model form", () => {
  const termsWith = (withdrawalDays: number | "off") =>
    legalMessages.en.terms.sections({ ...facts, withdrawalDays }).flatMap(({ text }) => text.flat());
  const lines = termsWith(30).join("\n");
  expect(lines).toContain(
    "You have the right to withdraw from this contract within 30 days without giving any reason.",
  );
  expect(lines.split("Gull Ltd, 1 Pier, help@gull.example")).toHaveLength(3);
  expect(lines).toContain("hereby give notice that I/We (*) withdraw from my/our (*) contract");
  expect(termsWith("off").join("\n")).not.toMatch(/right to withdraw|hereby/);
});

test("the privacy notice names the processors, including that of error reports only if these are sent", () => {
  const privacyOf = (errorReceiver: string | null) =>
    legalMessages.en.privacy.sections({ ...facts, errorReceiver }).flatMap(({ text }) => text.flat());
  const [without, withReports] = [privacyOf(null), privacyOf("Gannet Inc.")];
  for (const name of ["Cloudflare: ", "Stripe: "]) expect(without.some((line) => line.startsWith(name))).toBe(true);
  expect(withReports.filter((line) => line.startsWith("Gannet Inc.: "))).toHaveLength(1);
  // The notice mentions error reports only where they are sent.
  expect(withReports.length).toBe(without.length + 2);
});

test("the privacy notice names each third-party service, and no longer says that there's nothing to consent to if one stores something", () => {
  const privacyOf = (thirdParties: (typeof facts)["thirdParties"]) =>
    legalMessages.en.privacy.sections({ ...facts, thirdParties }).flatMap(({ text }) => text.flat());
  const service = {
    name: "Skua Analytics",
    purpose: "Counts visits.",
    privacyUrl: "https://skua.example/privacy",
    stores: [],
    pages: "public",
  } as const;
  const [without, counting] = [privacyOf([]), privacyOf([service])];
  expect(without.join()).not.toContain("Skua");
  const added = counting.filter((line) => !without.includes(line));
  expect(added).toHaveLength(2);
  expect(added[1]).toMatch(/^Skua Analytics: Counts visits\. .*https:\/\/skua\.example\/privacy$/);
  const storing = privacyOf([{ ...service, stores: ["It stores a cookie, skua_id, for a year."] }]);
  expect(storing.join()).toContain("skua_id, for a year");
  expect(storing.join()).not.toContain("cookie banner");
  expect(counting.join()).toContain("cookie banner");
});

test("the privacy notice describes the captcha only where there is one", () => {
  const privacyOf = (captcha: string | null) =>
    legalMessages.en.privacy.sections({ ...facts, captcha }).flatMap(({ text }) => text.flat());
  expect(privacyOf("Skua Check").join()).toContain("Skua Check");
  expect(privacyOf(null).length).toBe(privacyOf("Skua Check").length - 2);
});

test("the terms name the page for withdrawing, and the privacy notice says how long a declaration is stored", () => {
  const textOf = (page: "terms" | "privacy") =>
    legalMessages.en[page]
      .sections(facts)
      .flatMap(({ text }) => text.flat())
      .join(" ");
  expect(textOf("terms")).toContain("“Withdraw from a contract”");
  expect(textOf("privacy")).toContain("We store your declaration for 3 years");
});

test("the terms name the page for cancelling, and the privacy notice what it stores, if there is that page", () => {
  const linesOf = (hasCancellationPage: boolean) =>
    [legalMessages.en.terms, legalMessages.en.privacy]
      .flatMap(({ sections }) => sections({ ...facts, hasCancellationPage }))
      .flatMap(({ text }) => text.flat())
      .join(" ");
  expect(linesOf(true)).toContain("“Cancel contracts here”");
  expect(linesOf(true)).toContain("__Host-cancelled");
  expect(linesOf(true)).toContain("We store every cancellation that is declared there for 3 years");
  expect(linesOf(false)).not.toMatch(/Cancel contracts here|__Host-cancelled|declared there/);
});
