import { expect, test } from "vitest";
import { parseCloudflareEvent } from "./parse-cloudflare-event.ts";

const sent = { messageId: "id-1", sender: "hello@example.com", recipient: "mara@example.net", terminal: true };
const eventOf = (what: string, details: object = {}) => ({
  type: `cf.email.sending.message.${what}`,
  source: { type: "email.sending", zoneId: "023e105f4ecef8ad9ca31a8372d0c353", domain: "example.com" },
  payload: { ...sent, ...details },
});

test.each([
  ["bounced", { bounce: { type: "hard", classification: "permanent_failure", reason: "550 5.1.1" } }, "bounced"],
  ["rejected", { rejection: { reason: "suppressed", party: "recipient", detail: "" } }, "bounced"],
  ["complained", { complaint: { type: "abuse" } }, "complained"],
])("message.%s says that an address is lost or unwilling", (what, details, kind) => {
  const found = { kind, serviceId: "id-1", address: "mara@example.net" };
  expect(parseCloudflareEvent(eventOf(what, details))).toEqual([found]);
});

test.each([
  eventOf("delivered", { delivery: { status: "delivered" } }),
  eventOf("deferred", { bounce: { type: "soft" } }),
  eventOf("bounced", { bounce: { type: "soft" } }),
  eventOf("failed", { failure: { reason: "delivery_failed" } }),
  eventOf("rejected", { rejection: { reason: "spam", party: "sender" } }),
  { ...eventOf("complained"), payload: { recipient: "mara@example.net" } },
  "complained",
  null,
])("nothing else does: %j", (event) => {
  expect(parseCloudflareEvent(event)).toEqual([]);
});
