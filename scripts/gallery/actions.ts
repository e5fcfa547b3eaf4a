import type { Page } from "playwright-core";
import { firstPaymentCardMessages } from "#app/routes/landing/first-payment-steps.messages.ts";
import { setUpMessages } from "#app/routes/set-up/messages.ts";
import { cancelMessages } from "#app/routes/cancel/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { quotesPerMinuteMax } from "#app/modules/billing/checkout/provider-quota.rules.ts";
import { suggestionMessages } from "#app/http/forms/suggestion-notice.messages.ts";
import { enterCode } from "#tests/browser/support/steps.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { manualRetriesPerDayMax } from "#app/modules/billing/sync/retries.rules.ts";

export type Action = (page: Page) => Promise<void>;

/** Fills in fields by their labels and submits the form. */
export function sends(button: string, fields: Record<string, string> = {}): Action {
  return async (page) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).first().fill(text);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: button }).first().click();
    await answered;
    await page.locator(".error-summary, [aria-invalid]").first().waitFor();
  };
}

/** Enters the operators' token of local runs, which shows the card about the first payment. */
export const showsFirstPayment: Action = async (page) => {
  await page.getByLabel(setUpMessages.en.token).fill("local-operator-token");
  await page.getByRole("button", { name: setUpMessages.en.submit }).click();
  await page.getByRole("button", { name: firstPaymentCardMessages.en.hide }).waitFor();
};

/** Reviews a withdrawal, with a name where the account has none. */
export const reviewsWithdrawal: Action = async (page) => {
  const { form, review } = withdrawMessages.en;
  await page.getByLabel(form.name).fill("Cara Example");
  await page.getByRole("button", { name: form.submit }).click();
  await page.getByRole("button", { name: review.submit }).waitFor();
};

/** Withdraws from a contract that we don't know. */
export const declaresWithdrawal: Action = async (page) => {
  const { form, review, declared } = withdrawMessages.en;
  for (const [label, text] of [
    [form.name, "Cara Example"],
    [form.order, "2026-000041"],
    [form.email, "cara@example.com"],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: form.submit }).click();
  await page.getByRole("button", { name: review.submit }).click();
  await page.getByRole("heading", { name: declared.title }).waitFor();
};

/** Cancels a contract that we don't know. */
export const declaresCancellation: Action = async (page) => {
  const { form, declared } = cancelMessages.en;
  for (const [label, text] of [
    [form.name, "Cara Example"],
    [form.order, "2026-000041"],
    [form.email, "cara@example.com"],
  ] as const)
    await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: form.submit }).click();
  await page.getByRole("heading", { name: declared.title }).waitFor();
};

/** Enters a code, which a script submits with its last digit. */
export function entersCode(code: string): Action {
  return async (page) => {
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await enterCode(page, code);
    await answered;
    await page.locator("[aria-invalid]").first().waitFor();
  };
}

export const mistypesDomain =
  ({ email, submit }: { email: string; submit: string }): Action =>
  async (page) => {
    await page.getByLabel(email).fill("cara@gmial.com");
    await page.getByRole("button", { name: submit }).click();
    await page.getByRole("button", { name: fillGaps(suggestionMessages.en["domain-mistyped"].use(gap)) }).waitFor();
  };

/** Opens the page until the site no longer queries Stripe for it. */
export const opensTooOften: Action = async (page) => {
  for (let visit = 0; visit <= quotesPerMinuteMax; visit += 1) {
    const answer = await page.reload();
    if (answer?.status() === 429) return;
  }
};

/** Presses "Pay" on the plan's page until it is refused: each earlier attempt leads to the payment page. */
export const paysTooOften: Action = async (page) => {
  const plan = page.url();
  for (let press = 0; press <= manualRetriesPerDayMax; press += 1) {
    if (page.url() !== plan) await page.goto(plan);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.locator('button[name="intent"][value="retry"]').click();
    if ((await answered).status() === 429) break;
    await page.waitForURL(/\/payment\//);
  }
  await page.locator(".notice-problem").first().waitFor();
};
