import { assertNever } from "#app/core/result.ts";
import { chosenEmailService } from "./email-services.ts";
import type { EmailService } from "./email-transport.ts";
import { openCloudflare } from "./senders/open-cloudflare.server.ts";
import { openHttpRelay } from "./senders/open-http-relay.server.ts";
import { openPostmark } from "./senders/open-postmark.server.ts";
import { openResend } from "./senders/open-resend.server.ts";
import { openSes } from "./senders/open-ses.server.ts";

type EmailEnv = Pick<
  Env,
  | "EMAIL"
  | "EMAIL_SERVICE"
  | "EMAIL_API_BASE"
  | "RESEND_API_KEY"
  | "POSTMARK_SERVER_TOKEN"
  | "SES_REGION"
  | "SES_ACCESS_KEY_ID"
  | "SES_SECRET_ACCESS_KEY"
  | "EMAIL_RELAY_URL"
  | "EMAIL_RELAY_TOKEN"
>;

/** Opens the service that EMAIL_SERVICE names. What the service needs is set, or the Worker wouldn't serve (app/configuration.ts). */
export function openChosenSender(env: EmailEnv): EmailService {
  const name = chosenEmailService(env.EMAIL_SERVICE);
  // Tests set a stand-in. A deployed Worker refuses to have one.
  const base = env.EMAIL_API_BASE || null;
  switch (name) {
    case "cloudflare":
      return openCloudflare(env.EMAIL);
    case "resend":
      return openResend({ key: env.RESEND_API_KEY, base });
    case "postmark":
      return openPostmark({ token: env.POSTMARK_SERVER_TOKEN, base });
    case "ses":
      return openSes({
        region: env.SES_REGION,
        accessKeyId: env.SES_ACCESS_KEY_ID,
        secretAccessKey: env.SES_SECRET_ACCESS_KEY,
        base,
      });
    case "http-relay":
      return openHttpRelay({ url: env.EMAIL_RELAY_URL, token: env.EMAIL_RELAY_TOKEN });
    default:
      return assertNever(name);
  }
}
