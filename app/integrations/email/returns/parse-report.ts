import * as v from "valibot";
import type { EmailReturn, ReturnReport } from "./email-returns.ts";

/** Each service's reports that an address can't be reached or doesn't want email. Temporary failures aren't among them. */
const resendReport = v.object({
  type: v.picklist(["email.bounced", "email.suppressed", "email.complained"]),
  data: v.object({
    email_id: v.string(),
    to: v.tuple([v.string()]),
    bounce: v.optional(v.object({ type: v.optional(v.string()) })),
  }),
});

const postmarkReport = v.variant("RecordType", [
  v.object({ RecordType: v.literal("Bounce"), MessageID: v.string(), Email: v.string(), Inactive: v.literal(true) }),
  v.object({ RecordType: v.literal("SpamComplaint"), MessageID: v.string(), Email: v.string() }),
]);

const recipients = v.tuple([v.object({ emailAddress: v.string() })]);
const taken = v.object({ messageId: v.string() });
const sesReport = v.union([
  v.object({ bounce: v.object({ bounceType: v.literal("Permanent"), bouncedRecipients: recipients }), mail: taken }),
  v.object({ complaint: v.object({ complainedRecipients: recipients }), mail: taken }),
]);

/** SNS wraps a report as text. At first it asks whether it may send any. */
const snsMessage = v.variant("Type", [
  v.object({ Type: v.literal("Notification"), Message: v.string() }),
  v.object({ Type: v.literal("SubscriptionConfirmation"), SubscribeURL: v.string() }),
]);
const snsUrl = /^https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com\//;

const relayReport = v.object({ kind: v.picklist(["bounced", "complained"]), id: v.string(), to: v.string() });

const nothing: ReturnReport = { returns: [], confirmUrl: null };
const reported = (found: EmailReturn): ReturnReport => ({ returns: [found], confirmUrl: null });

export function parseResendReport(body: unknown): ReturnReport {
  const { success, output } = v.safeParse(resendReport, body);
  if (!success || output.data.bounce?.type === "Transient") return nothing;
  const { email_id: serviceId, to } = output.data;
  const kind = output.type === "email.complained" ? "complained" : "bounced";
  return reported({ kind, serviceId, address: to[0] });
}

export function parsePostmarkReport(body: unknown): ReturnReport {
  const { success, output } = v.safeParse(postmarkReport, body);
  if (!success) return nothing;
  const kind = output.RecordType === "Bounce" ? "bounced" : "complained";
  return reported({ kind, serviceId: output.MessageID, address: output.Email });
}

export function parseSesReport(body: unknown): ReturnReport {
  const message = v.safeParse(snsMessage, body);
  if (!message.success) return nothing;
  if (message.output.Type === "SubscriptionConfirmation") {
    const { SubscribeURL } = message.output;
    return { returns: [], confirmUrl: snsUrl.test(SubscribeURL) ? SubscribeURL : null };
  }
  const { success, output } = v.safeParse(sesReport, parseJson(message.output.Message));
  if (!success) return nothing;
  const serviceId = output.mail.messageId;
  if ("bounce" in output)
    return reported({ kind: "bounced", serviceId, address: output.bounce.bouncedRecipients[0].emailAddress });
  return reported({ kind: "complained", serviceId, address: output.complaint.complainedRecipients[0].emailAddress });
}

export function parseRelayReport(body: unknown): ReturnReport {
  const { success, output } = v.safeParse(relayReport, body);
  return success ? reported({ kind: output.kind, serviceId: output.id, address: output.to }) : nothing;
}

/** Undefined for text that isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
