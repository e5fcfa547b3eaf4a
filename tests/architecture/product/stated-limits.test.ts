import { describe, expect, test } from "vitest";
import { enteredCookieMs, flashCookieMs, referenceCookieMs, visitCookieMs } from "#app/core/cookie-lives.ts";
import { dayMs, formatSpan, hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { nameLengthMax, sessionAbsoluteMs } from "#app/modules/accounts/rules.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import { retryWindowMs } from "#app/modules/billing/sync/retries.rules.ts";
import {
  causeLengthMax,
  declarationShownMs,
  lineLengthMax,
} from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { codeDigits } from "#app/modules/accounts/codes/digits.rules.ts";
import { quotaWindowMs } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { codeLifeMs, knownBrowserMs, triesPerCodeMax, triesPerHourMax } from "#app/modules/accounts/codes/rules.ts";
import { accountEmails } from "#app/modules/accounts/emails.messages.ts";
import { emailRetentionMs } from "#app/modules/email/rules.ts";
import { operatorCookieMs } from "#app/modules/operators/operator-cookie.rules.ts";
import { reviewMs } from "#app/modules/referrals/eligibility.rules.ts";
import { rewardWindowMs } from "#app/modules/referrals/reward.rules.ts";
import { reasonTakenMs } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { deferralMs } from "#app/modules/billing/subscriptions/change.rules.ts";
import {
  nameLengthMax as declaredNameLengthMax,
  refundWithinDays,
  sameDeclarationMs,
} from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { legalMessages } from "#app/product/legal/messages.ts";
import { cancelMessages } from "#app/routes/cancel/messages.ts";
import { firstPaymentCardMessages } from "#app/routes/landing/first-payment-steps.messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { orderDiscountMessages } from "#app/routes/settings/orders/order/messages.ts";
import { planRefusalMessages, planNoticesMessages } from "#app/routes/settings/plan/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { upgradeMessages, offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { verifyMessages, invalidCodeMessages, verifyRevertMessages } from "#app/routes/verify/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";

/** Every limit that a sentence states: when the constant changes, a sentence that retypes it fails here. */
const verify = verifyMessages.en;
const referralRules = JSON.stringify(
  referralMessages.en.rules.items(
    { discount: "a", credit: "a", qualifying: "a" },
    { attributionDays: 1, holdDays: 1, rewardsPerYear: 1, discountMonths: 1, creditMonths: 1 },
  ),
);
const stated: [limit: string, sentence: unknown, figure: string | number][] = [
  ["revertLifeMs, after the change", flashMessages.en["address-changed"], formatSpan(revertLifeMs)],
  ["revertLifeMs, of the old address", verify.problems["address-held"], formatSpan(revertLifeMs)],
  ["revertLifeMs, of the link", verifyRevertMessages.en.over["link-expired"].lead, formatSpan(revertLifeMs)],
  ["triesPerHourMax, when asking", quotaRefusalMessages.en["too-many-tries"]("…"), triesPerHourMax],
  ["triesPerHourMax, on the page", verify.shut["too-many-tries"], triesPerHourMax],
  ["triesPerHourMax, when trying", verify.problems["too-many-tries"]("…"), triesPerHourMax],
  ["quotaWindowMs, when asking", quotaRefusalMessages.en["too-many-tries"]("…"), formatSpan(quotaWindowMs)],
  ["quotaWindowMs, on the page", verify.shut["too-many-tries"], formatSpan(quotaWindowMs)],
  ["quotaWindowMs, when trying", verify.problems["too-many-tries"]("…"), formatSpan(quotaWindowMs)],
  ["triesPerCodeMax, on the page", verify.over["code-exhausted"], triesPerCodeMax],
  ["triesPerCodeMax, when trying", verify.problems["code-exhausted"], triesPerCodeMax],
  ["triesPerCodeMax, elsewhere", invalidCodeMessages.en["code-exhausted"].lead, triesPerCodeMax],
  ["codeLifeMs, when late", verify.heldUp.late.text, formatSpan(codeLifeMs)],
  ["codeLifeMs, when lapsed", verify.heldUp.lapsed.title, formatSpan(codeLifeMs)],
  ["codeDigits", verify.codeHint, codeDigits],
  ["codeDigits, when malformed", verify.problems["code-malformed"], codeDigits],
  ["nameLengthMax", accountMessages.en.problems["name-too-long"], nameLengthMax],
  ["nameLengthMax of a withdrawal", withdrawMessages.en.problems["name-too-long"], declaredNameLengthMax],
  ["refundWithinDays", withdrawMessages.en.declared.next, refundWithinDays],
  ["sameDeclarationMs", withdrawMessages.en.declared.before.lead, formatSpan(sameDeclarationMs)],
  ["causeLengthMax", cancelMessages.en.problems["cause-too-long"], causeLengthMax.toLocaleString("en")],
  ["lineLengthMax, name", cancelMessages.en.problems["name-too-long"], lineLengthMax],
  ["lineLengthMax, order", cancelMessages.en.problems["order-too-long"], lineLengthMax],
  ["operatorCookieMs", firstPaymentCardMessages.en.lead, formatSpan(operatorCookieMs)],
  ["reviewMs, of an order", orderDiscountMessages.en.expected("a", true), formatSpan(reviewMs)],
  ["reviewMs, of a quote", upgradeMessages.en.confirm.friendText("a", true), formatSpan(reviewMs)],
  ["reviewMs, of a friend", referralRules, formatSpan(reviewMs)],
  ["rewardWindowMs, in the rules", referralRules, formatSpan(rewardWindowMs)],
  ["rewardWindowMs, before any credit", referralMessages.en.cap.text(0, 1), formatSpan(rewardWindowMs)],
  ["rewardWindowMs, with some credit", referralMessages.en.cap.text(1, 1), formatSpan(rewardWindowMs)],
  ["rewardWindowMs, with the most credit", referralMessages.en.cap.title(1), formatSpan(rewardWindowMs)],
  ["retryWindowMs", planNoticesMessages.en["too-many-retries"]("…"), formatSpan(retryWindowMs)],
  ["reasonTakenMs", planRefusalMessages.en["nothing-cancelled"], formatSpan(reasonTakenMs)],
  ["deferralMs", offerRefusalMessages.en.refusals["change-begins"], formatSpan(deferralMs)],
];

test.each(stated)("%s is stated as it is", (_limit, sentence, figure) => {
  expect(String(sentence)).toMatch(new RegExp(`\\b${figure}\\b`));
});

test("the privacy notice says how long each cookie and record is stored", () => {
  const facts = {
    product: "a",
    seller: { name: "a", address: [], vatId: null },
    imprint: [],
    support: "a",
    version: "a",
    withdrawalDays: 14,
    intervals: ["month", "year"],
    afterFirstTerm: "another-term",
    hasCancellationPage: true,
    revertDays: 1,
    errorReceiver: null,
    ofFeatures: [],
    thirdParties: [],
    hasFreePlan: true,
    waitsIn: "the queue",
    ofAccount: [],
    friendDiscount: null,
    comparesCustomers: false,
    erased: [],
    taxRecordYears: 1,
  } as const;
  const lines = legalMessages.en.privacy.sections(facts).flatMap(({ text }) => text.flat());
  const lifeOf = (cookie: string) => lines.find((line) => line.startsWith(`__Host-${cookie}:`)) ?? "";
  const lives: [string, number][] = [
    ["session", sessionAbsoluteMs],
    ["browser", knownBrowserMs],
    ["visit", visitCookieMs],
    ["flash", flashCookieMs],
    ["entered", enteredCookieMs],
    ["withdrawn", declarationShownMs],
    ["cancelled", declarationShownMs],
    ["reference", referenceCookieMs],
    ["theme", knownBrowserMs],
    ["declined", knownBrowserMs],
  ];
  // A team's own notice may say it in another way.
  if (!lines.some((line) => line.startsWith("__Host-"))) return;
  for (const [cookie, life] of lives) expect(lifeOf(cookie)).toContain(formatSpan(life));
  expect(lines.join()).toContain(formatSpan(emailRetentionMs));
});

describe("an email says what it is told", () => {
  const names = { product: "a", support: "a", lockedMeans: "", free: null };
  const code = { purpose: "sign-in", code: "12345678", url: "" } as const;
  const emails: [string, (more: number) => unknown][] = [
    ["code", (more) => accountEmails.en.code({ template: "code", ...code, validMs: more * minuteMs }, names)],
    [
      "has-account",
      (more) => accountEmails.en["has-account"]({ template: "has-account", ...code, validMs: more * minuteMs }, names),
    ],
    [
      "hundred-wrong-codes, count",
      (more) =>
        accountEmails.en["hundred-wrong-codes"](
          { template: "hundred-wrong-codes", wrongCodes: more, pauseMs: dayMs },
          names,
        ),
    ],
    [
      "hundred-wrong-codes, pause",
      (more) =>
        accountEmails.en["hundred-wrong-codes"](
          { template: "hundred-wrong-codes", wrongCodes: 1, pauseMs: more * dayMs },
          names,
        ),
    ],
  ];
  test.each(emails)("%s", (_name, write) => {
    expect(write(7)).not.toEqual(write(8));
  });
});

test("a span is said in the largest unit without a fraction", () => {
  const spans = [7 * dayMs, dayMs, 25 * hourMs, 90 * minuteMs, 10 * minuteMs, 30 * secondMs];
  expect(spans.map((span) => formatSpan(span))).toEqual([
    "7 days",
    "1 day",
    "25 hours",
    "90 minutes",
    "10 minutes",
    "30 seconds",
  ]);
});
