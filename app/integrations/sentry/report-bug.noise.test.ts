import * as Sentry from "@sentry/react";
import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-items.json" with { type: "json" };
import { browserSdkOptions } from "#app/client/browser-sdk.client.ts";

/** The real SDK with our options, its own noise filter and ours together; only the network is replaced. */
const sent: string[] = [];
const client = Sentry.init({
  ...browserSdkOptions(
    { dsn: "https://key@sentry.example/42", environment: "local", release: "r1", tracesSampleRate: 1 },
    false,
  ),
  transport: (options) =>
    Sentry.createTransport(options, ({ body }) => {
      sent.push(String(body));
      return Promise.resolve({ statusCode: 200 });
    }),
});

async function isSent(event: object): Promise<boolean> {
  sent.length = 0;
  // The cases are events as JSON; TypeScript types their `type` as any string.
  client?.captureEvent(event as Sentry.Event);
  await client?.flush();
  return sent.some((body) => /\n\{"type":"(?:event|transaction)"/.test(body));
}

describe("third-party samples of noise", () => {
  test.each(vectors.ignoredErrors.map((vector) => ({ name: JSON.stringify(vector.event), ...vector })))(
    "$name",
    async ({ event, dropped }) => {
      expect(await isSent(event)).toBe(!dropped);
    },
  );
});

describe("noise that the SDK's maker lists without a sample is dropped", () => {
  test.each([
    "Javascript error: Script error on line 0",
    'can\'t redefine non-configurable property "solana"',
    "vv().getRestrictions is not a function. (In 'vv().getRestrictions(1,a)', 'vv().getRestrictions' is undefined)",
    "Can't find variable: _AutofillCallbackHandler",
    "Java object is gone",
  ])("%s", async (value) => {
    expect(await isSent({ exception: { values: [{ type: "Error", value }] } })).toBe(false);
  });

  test("an error of ours is still sent", async () => {
    expect(await isSent({ exception: { values: [{ type: "TypeError", value: "x is undefined" }] } })).toBe(true);
  });
});
