import type { Messages } from "#app/core/messages.ts";
import type { Mail } from "../rules.ts";

const en = {
  label: "Test mode",
  text: "you won't be charged, and no order is binding.",
};

export const testModeMessages: Messages<typeof en> = { en };

/** Marks an email of a site in Stripe's test mode, in the subject and before the first sentence. */
export function markTestEmail(mail: Mail): Mail {
  const { label, text } = testModeMessages.en;
  const line = `<p style="margin:0;padding:12px 20px;background:#fff3cd;color:#221c16;font:14px/1.5 sans-serif"><strong>${label}:</strong> ${text}</p>`;
  return {
    ...mail,
    subject: `[${label}] ${mail.subject}`,
    text: `${label}: ${text}\n\n${mail.text}`,
    html: mail.html.replace(/<body[^>]*>/, (body) => `${body}${line}`),
  };
}
