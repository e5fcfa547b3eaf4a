import { describe, expect, test } from "vitest";
import { dayMs, formatSpan } from "#app/core/time/time.ts";
import { sendGapMs } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { waitlistEmails } from "../emails.messages.ts";
import { missesMax } from "../invitations.rules.ts";
import { confirmLifeMs } from "../rules.ts";
import { waitlistEntryMessages } from "./entry.messages.ts";
import { waitlistMessages } from "./messages.ts";

test.each([
  ["confirmLifeMs, when sent", waitlistMessages.en.sent.lead(null), formatSpan(confirmLifeMs)],
  ["confirmLifeMs, when expired", waitlistMessages.en.confirm.expired.lead("a"), formatSpan(confirmLifeMs)],
  ["sendGapMs", waitlistMessages.en.sent.hint("a"), formatSpan(sendGapMs)],
  ["missesMax", waitlistEntryMessages.en.resting.lead, String(missesMax)],
])("%s is stated as it is", (_limit, sentence, figure) => {
  expect(sentence).toMatch(new RegExp(`\\b${figure}\\b`));
});

describe("an email states the figure that it is given", () => {
  const names = { product: "a", support: "a", lockedMeans: "a", free: null };
  const place = { what: "a", url: "a", until: "a" };
  const { "waitlist-confirm": confirm, "waitlist-invited": invited } = waitlistEmails.en;
  test.each([
    [
      "waitlist-confirm",
      (more: number) => confirm({ template: "waitlist-confirm", ...place, validMs: more * dayMs }, names),
    ],
    ["waitlist-invited", (more: number) => invited({ template: "waitlist-invited", ...place, missesMax: more }, names)],
  ])("%s", (_name, write) => {
    expect(write(7)).not.toEqual(write(8));
  });
});
