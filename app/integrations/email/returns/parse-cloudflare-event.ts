import * as v from "valibot";
import type { EmailReturn } from "./email-returns.ts";

/** Cloudflare itself refuses the address, since an earlier email came back. */
const suppressed = v.literal("suppressed");

/** https://developers.cloudflare.com/email-service/platform/event-subscriptions/ */
const sendingEvent = v.variant("type", [
  v.object({
    type: v.literal("cf.email.sending.message.bounced"),
    // A soft bounce means that Cloudflare gave up after temporary failures.
    payload: v.object({ ...sent(), bounce: v.object({ type: v.literal("hard") }) }),
  }),
  v.object({
    type: v.literal("cf.email.sending.message.rejected"),
    payload: v.object({ ...sent(), rejection: v.object({ reason: suppressed }) }),
  }),
  v.object({ type: v.literal("cf.email.sending.message.complained"), payload: v.object(sent()) }),
]);

function sent() {
  return { messageId: v.string(), recipient: v.string() };
}

/** Reads what Cloudflare's Email Sending publishes to a queue. Empty unless an address can't be reached or doesn't want email. */
export function parseCloudflareEvent(body: unknown): EmailReturn[] {
  const { success, output } = v.safeParse(sendingEvent, body);
  if (!success) return [];
  const kind = output.type.endsWith("complained") ? "complained" : "bounced";
  return [{ kind, serviceId: output.payload.messageId, address: output.payload.recipient }];
}
