import type { Messages } from "#app/core/messages.ts";
import type { Email } from "../rules.ts";

const en = {
  label: "Test mode",
  text: "you won't be charged, and no order is binding.",
};

export const testModeMessages: Messages<typeof en> = { en };

/** Marks an email of a site in Stripe's test mode, in the subject and before the first sentence. */
export function markTestEmail<Marked extends Email>(email: Marked): Marked {
  const { label, text } = testModeMessages.en;
  const line = `<p style="margin:0;padding:12px 20px;background:#fff3cd;color:#221c16;font:14px/1.5 sans-serif"><strong>${label}:</strong> ${text}</p>`;
  return {
    ...email,
    subject: `[${label}] ${email.subject}`,
    text: `${label}: ${text}\n\n${email.text}`,
    html: email.html.replace(/<body[^>]*>/, (body) => `${body}${line}`),
  };
}
