import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stripeApiVersion } from "#app/integrations/stripe/version.ts";
import { API_VERSION as ofWebhook } from "../../../scripts/stripe/webhook.ts";
import { API_VERSION as ofEmulator } from "stripe-emulator/facts";

/** What the installed SDK's types describe. */
const ofSdk = /ApiVersion = '([^']+)'/.exec(readFileSync("node_modules/stripe/esm/apiVersion.js", "utf8"))?.[1];

test("integration, webhook endpoint, Stripe emulator and SDK use the same API version", () => {
  expect(ofSdk).toMatch(/^\d{4}-\d\d-\d\d\.\w+$/);
  expect([stripeApiVersion, ofWebhook, ofEmulator]).toEqual([ofSdk, ofSdk, ofSdk]);
});
