import { watchedEnv } from "#tests/support/database/executed-statements.ts";
import type { App } from "#app/app.ts";
import { createApp } from "#app/create-app.ts";
import { done, refused } from "#app/core/result.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { OutgoingEmail } from "#app/integrations/email/email-transport.ts";
import { product } from "#app/product/config.ts";
import { large } from "#tests/support/billing/catalogue.ts";

export type TestApp = App & {
  /** What was sent, newest last. */
  emails: OutgoingEmail[];
  /** Moves the clock, which is otherwise frozen. */
  pass: (ms: number) => void;
  /** Everything that was deferred until after the answer has happened. */
  settled: () => Promise<void>;
  /** While true, the email service refuses. */
  isEmailDown: boolean;
};

/** The settings that the referrals module is tested with, independent of the config. */
export const referralTerms: ProductConfig["referral"] = {
  state: "open",
  friendDiscountMinor: 500,
  referrerCreditMinor: 500,
  qualifyingAmountMinor: 500,
  holdDays: 14,
  rewardsPerYear: 12,
  attributionDays: 30,
};

/** An App on real D1 and KV, with a stopped clock and a list of sent emails in place of the email transport. */
export function testApp(overrides: Partial<App> = {}): TestApp {
  const put: Promise<unknown>[] = [];
  let now = Date.UTC(2026, 10, 20, 12);
  const app: TestApp = {
    ...createApp(
      watchedEnv,
      { waitUntil: (work) => put.push(work) },
      { request: new Request(watchedEnv.PUBLIC_ORIGIN), nonce: "nonce" },
    ),
    product: { ...product, referral: referralTerms },
    // The gate of the configuration is a team's own: the tests know this one.
    gate: { kind: "plan", planId: large.id },
    clock: () => now,
    // Waits that only collect further work take no time here.
    pause: async () => undefined,
    emails: [],
    isEmailDown: false,
    pass: (ms) => {
      now += ms;
    },
    settled: async () => {
      for (let work = put.shift(); work; work = put.shift()) await work;
    },
    email: {
      send: async (email) => {
        if (app.isEmailDown) return refused({ reason: "email-down" });
        app.emails.push(email);
        return done({ serviceId: null });
      },
    },
    ...overrides,
  };
  return app;
}

/** The eight digits of the newest email to an address. */
export function codeIn(app: TestApp, to: string): string {
  const email = app.emails.findLast((candidate) => candidate.to === to);
  const digits = /\b\d{8}\b/.exec(email?.subject ?? "")?.[0];
  if (!digits) throw new Error(`No code was emailed to ${to}`);
  return digits;
}
