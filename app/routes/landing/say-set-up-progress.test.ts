import { expect, test } from "vitest";
import { describeSetUpProgress } from "#app/modules/operators/set-up-progress.rules.ts";
import { saySetUpProgress } from "./say-set-up-progress.ts";

const facts = {
  stripe: "off" as const,
  hasPrices: false,
  isEmailSent: false,
  isEmailRefused: false,
  hasSignedUp: false,
  order: null,
  hasDelivered: false,
};

/** The text of the first step on a site at this origin. */
function connect(origin: string, { isProduction = false, isLocal = false } = {}) {
  const site = { origin, gate: { kind: "none" as const }, isProduction, isLocal };
  return saySetUpProgress(site, describeSetUpProgress(facts)).steps[0]?.text;
}

test("Stripe is set up for the site that is looked at, with a key that it takes", () => {
  expect(connect("https://shop-staging.ada.workers.dev")).toMatch(/sk_test_\S+ npm run stripe:setup -- --to staging/);
  expect(connect("https://shop-preview-x.ada.workers.dev")).toMatch(/sk_test_\S+ npm run stripe:setup -- --to preview/);
  const production = connect("https://shop.example", { isProduction: true });
  expect(production).toMatch(/sk_live_\S+ npm run stripe:setup -- --to production/);
  expect(production).not.toContain("sk_test");
  expect(connect("http://localhost:8787", { isLocal: true })).not.toContain("--to");
});

test("events that don't arrive are mended by the command that replaces the signing secret", () => {
  const order = { number: "2026-000001" };
  const progress = describeSetUpProgress({ ...facts, stripe: "test", hasPrices: true, order });
  const site = { origin: "https://shop-staging.ada.workers.dev", gate: { kind: "none" as const }, isProduction: false };
  const { steps } = saySetUpProgress({ ...site, isLocal: false }, progress);
  expect(steps.at(-1)?.text).toMatch(/ WORKER_STRIPE_SECRET_KEY=sk_test_\S+ npm run/);
});
