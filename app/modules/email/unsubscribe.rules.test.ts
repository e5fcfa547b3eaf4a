import { describe, expect, test } from "vitest";
import { readUnsubscribeToken, unsubscribeHeaders, unsubscribeSubjectOf, unsubscribeUrl } from "./unsubscribe.rules.ts";

/** Emails of a feature, which are stopped by a subject of their own. */
const hooks = [{}, { optionalEmails: { subject: "news", templates: ["news-flash"] } }];
const site = { origin: "https://site.example", pepper: "pepper-of-this-test", hooks };
const wanted = { subject: "news", recipient: "ent_abc" } as const;
const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";

describe("a link to unsubscribe", () => {
  test("says what and whom it is for, and is the same each time", async () => {
    const url = await unsubscribeUrl(site, wanted);
    expect(await unsubscribeUrl(site, wanted)).toBe(url);
    expect(url).toMatch(/^https:\/\/site\.example\/unsubscribe\?token=[\w.]+$/);
    expect(await readUnsubscribeToken(site, tokenOf(url))).toEqual(wanted);
    expect(unsubscribeHeaders(url)).toEqual({
      "List-Unsubscribe": `<${url}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  test("is valid only as it was signed", async () => {
    const token = tokenOf(await unsubscribeUrl(site, wanted));
    const [subject = "", recipient = "", hash = ""] = token.split(".");
    for (const forged of [
      "",
      "...",
      `${subject}.${recipient}`,
      `${subject}.${recipient}.`,
      `usage.${recipient}.${hash}`,
      `${subject}.ent_other.${hash}`,
      `${subject}.acc_abc.${hash}`,
      `${subject}.${recipient}.${hash.slice(0, -1)}`,
      `${subject}.${recipient}.${hash.toUpperCase()}`,
      `${token}.more`,
    ]) {
      expect([forged, await readUnsubscribeToken(site, forged)]).toEqual([forged, null]);
    }
    expect(await readUnsubscribeToken({ ...site, pepper: "another pepper" }, token)).toBeNull();
  });
});

test.each([
  ["news-flash", "news"],
  ["usage-full", "usage"],
  ["renewal-notice", "renewals"],
  ["reward-earned", "rewards"],
  ["code", null],
  ["receipt", null],
  ["news-confirm", null],
  ["payment-action", null],
])("of an email %s it stops %s", (template, subject) => {
  expect(unsubscribeSubjectOf(site, template)).toBe(subject);
});
