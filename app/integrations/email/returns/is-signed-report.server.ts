import { secondMs } from "#app/core/time/time.ts";
import { base64Bytes } from "./base64-bytes.ts";

/** Maximum age of a signature, in the past and in the future: that of the Standard Webhooks specification. */
const toleranceMs = 300 * secondMs;

const utf8 = new TextEncoder();

/**
 * Whether the body was signed with the secret recently, by the Standard Webhooks specification, under its own header names or Svix's.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function isSignedReport(secret: string, headers: Headers, body: string, now: number): Promise<boolean> {
  const header = (name: string) => headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? "";
  const [id, timestamp] = [header("id"), header("timestamp")];
  const key = base64Bytes(secret.replace(/^whsec_/, ""));
  const isYoung = /^\d+$/.test(timestamp) && Math.abs(Number(timestamp) * secondMs - now) <= toleranceMs;
  if (key === null || id === "" || !isYoung) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
  const signatures = header("signature")
    .split(" ")
    .flatMap((part) => (part.startsWith("v1,") ? [base64Bytes(part.slice(3))] : []));
  const signed = utf8.encode(`${id}.${timestamp}.${body}`);
  const checks = signatures.map(
    (signature) => signature !== null && crypto.subtle.verify("HMAC", imported, signature, signed),
  );
  return (await Promise.all(checks)).includes(true);
}
