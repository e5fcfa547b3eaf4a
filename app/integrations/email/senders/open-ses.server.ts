import { AwsClient } from "aws4fetch";
import { done, refused } from "#app/core/result.ts";
import type { EmailRefusal, EmailService } from "../email-transport.ts";
import { fetchJson, textIn } from "../fetch-json.server.ts";
import type { EmailSender } from "#app/core/text/email-sender.ts";
import { formatSender } from "../format-sender.ts";

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

/** RFC 2047, section 2: a word has at most 75 characters, of which 63 are Base64 here: 45 bytes are 60. */
const wordOctetsMax = 45;

/** The sender as in an email's header, in ASCII alone: a name beyond ASCII becomes encoded words. */
function encodeSender({ name, address }: EmailSender): string {
  if (!/[^ -~]/.test(name)) return formatSender({ name, address });
  return `${wordsOf(name).join(" ")} <${address}>`;
}

/** A word consists of whole characters. Readers drop the blanks between two words. */
function wordsOf(name: string): string[] {
  const chunks: Uint8Array[] = [];
  let chunk: number[] = [];
  for (const character of name) {
    const octets = new TextEncoder().encode(character);
    if (chunk.length + octets.length > wordOctetsMax) {
      chunks.push(Uint8Array.from(chunk));
      chunk = [];
    }
    chunk.push(...octets);
  }
  return [...chunks, Uint8Array.from(chunk)].map((bytes) => `=?UTF-8?B?${btoa(String.fromCharCode(...bytes))}?=`);
}
