import { expect, test } from "vitest";
import { askForCode } from "#tests/support/clients/customers.ts";
import { failingAt, whileBroken, without } from "#tests/support/database/damage.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import { referenceIn, useWatchedSite } from "./reporting-site.ts";

const watched = useWatchedSite("mara@example.com", { SENTRY_TRACES_SAMPLE_RATE: "0" });
const order = "/settings/orders/ord_mara0secret0of0the0test000";

test("an error of a request that isn't traced is one event, with the reference id that the visitor reads", async () => {
  const visitor = await whileBroken(watched.site, without("orders"), () => watched.customer.open(order));
  expect(visitor.status).toBe(500);
  await watched.expectOneEvent("/settings/orders/:order", referenceIn(visitor.text()));
});

test("so is one of a request for the headers alone", async () => {
  const answer = await whileBroken(watched.site, without("orders"), () => watched.ask(order, { method: "HEAD" }));
  expect(answer.status).toBe(500);
  const { tags } = await nextSentryEvent(watched.receiver);
  expect(tags?.["route"]).toBe("/settings/orders/:order");
  await watched.expectNoOtherEvent();
});

test("so is one in work after the answer was sent", async () => {
  const visitor = await watched.site.visitor().open("/signup");
  const { tags } = await whileBroken(watched.site, failingAt("update on emails"), async () => {
    await askForCode(visitor, "somebody@example.com");
    return nextSentryEvent(watched.receiver);
  });
  expect([visitor.status, tags?.["route"]]).toEqual([200, "/signup"]);
  await watched.expectNoOtherEvent();
});
