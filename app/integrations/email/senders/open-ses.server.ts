import { AwsClient } from "aws4fetch";
import { done, refused } from "#app/core/result.ts";
import type { EmailRefusal, EmailService } from "../email-transport.ts";
import { fetchJson, textIn } from "../fetch-json.server.ts";
import { encodeSender } from "./encode-sender.ts";

type SesSettings = { region: string; accessKeyId: string; secretAccessKey: string; base: string | null };

/**
 * Amazon SES, `SendEmail` of its API version 2, signed with AWS Signature Version 4. It has no idempotency key, and accepts emails to
 * addresses on the account's suppression list, which it reports as bounced.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
export function openSes({ region, accessKeyId, secretAccessKey, base }: SesSettings): EmailService {
  const url = `${base ?? `https://email.${region}.amazonaws.com`}/v2/email/outbound-emails`;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: "ses" });
  return async (email, signal) => {
    const signed = await signer.sign(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(requestOf(email)),
    });
    const answer = await fetchJson(signed, signal);
    const serviceId = textIn(answer.body, "MessageId");
    if (answer.isOk && serviceId) return done({ serviceId });
    const message = textIn(answer.body, "message") ?? textIn(answer.body, "Message") ?? "";
    // The exception's name, sometimes followed by a colon and a URL.
    const name = answer.headers.get("x-amzn-errortype")?.split(":")[0] ?? "";
    return refused({ ...refusalOf(name, message), cause: `SES answered ${name} ${answer.cause}` });
  };
}

/** A sender's name is in ASCII: https://docs.aws.amazon.com/ses/latest/APIReference/API_Destination.html */
function requestOf({ from, replyTo, to, subject, text, html, headers }: Parameters<EmailService>[0]) {
  const utf8 = (data: string) => ({ Data: data, Charset: "UTF-8" });
  return {
    FromEmailAddress: encodeSender(from),
    Destination: { ToAddresses: [to] },
    ReplyToAddresses: [replyTo],
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { Text: utf8(text), Html: utf8(html) },
        Headers: headers && Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
      },
    },
  };
}

/**
 * SES has the same exception for its rate limit and for its quota; only the message tells them apart. The quota is of the past 24 hours, so
 * it has no moment of reset: https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
 */
function refusalOf(name: string, message: string): EmailRefusal {
  if (/^daily (message|sending) quota exceeded/i.test(message))
    return { reason: "quota-exhausted", retryAfterMs: null };
  const isAddress = /^(Illegal address|Missing final '@domain'|Local address contains|Domain contains)/.test(message);
  return name === "BadRequestException" && isAddress ? { reason: "address-refused" } : { reason: "email-down" };
}
