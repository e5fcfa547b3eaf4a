import { assertNever, done, refused } from "#app/core/result.ts";
import { secondMs } from "#app/core/time/time.ts";
import { reportFailedCommand } from "#app/integrations/sentry/report-bug.server.ts";
import { fetchJson } from "../fetch-json.server.ts";
import { chosenEmailService } from "../email-services.ts";
import type { ReturnReport, ReturnsReader } from "./email-returns.ts";
import { parseJson, parsePostmarkReport, parseRelayReport, parseResendReport, parseSesReport } from "./parse-report.ts";
import { keyedHash, matchesKeyedHash } from "#app/core/hash.ts";
import { base64Bytes } from "./base64-bytes.ts";

/** If SNS doesn't answer by then, an operator lets it ask again. */
const confirmDeadlineMs = 10 * secondMs;

type Service = { isOwn: typeof isSignedReport; parse: (body: unknown) => ReturnReport };

/**
 * Reads what the chosen service reports about emails that came back. Null if it reports nothing here, or if there is no secret to check its
 * reports by. Resend and a relay sign their reports; Postmark and SES (through SNS) send the secret as a password in the URL.
 */
export function openReturnsReader(
  env: Pick<Env, "EMAIL_SERVICE" | "EMAIL_WEBHOOK_SECRET">,
  now: () => number,
): ReturnsReader | null {
  const secret = env.EMAIL_WEBHOOK_SECRET || null;
  const service = serviceOf(env.EMAIL_SERVICE ?? "");
  if (secret === null || service === null) return null;
  return {
    async read(headers, body) {
      if (!(await service.isOwn(secret, headers, body, now()))) return refused({ reason: "report-unsigned" });
      return done(service.parse(parseJson(body)));
    },
    async confirm(url) {
      const { isOk, cause } = await fetchJson(new Request(url), AbortSignal.timeout(confirmDeadlineMs));
      if (!isOk) reportFailedCommand("confirm-email-reports", cause);
    },
  };
}

function serviceOf(chosen: string): Service | null {
  const name = chosenEmailService(chosen);
  switch (name) {
    case "cloudflare":
      return null;
    case "resend":
      return { isOwn: isSignedReport, parse: parseResendReport };
    case "postmark":
      return { isOwn: hasReportPassword, parse: parsePostmarkReport };
    case "ses":
      return { isOwn: hasReportPassword, parse: parseSesReport };
    case "http-relay":
      return { isOwn: isSignedReport, parse: parseRelayReport };
    default:
      return assertNever(name);
  }
}

const use = "email-report";

/** Whether the secret is the password of the request's Basic authentication. Compared in constant time. */
async function hasReportPassword(secret: string, headers: Headers): Promise<boolean> {
  const [, encoded = ""] = /^Basic (.+)$/.exec(headers.get("Authorization") ?? "") ?? [];
  const given = base64Bytes(encoded);
  const separator = given?.indexOf(":".charCodeAt(0)) ?? -1;
  if (given === null || separator === -1) return false;
  const password = new TextDecoder().decode(given.slice(separator + 1));
  return matchesKeyedHash(secret, use, password, await keyedHash(secret, use, secret));
}

/** Maximum age of a signature, in the past and in the future: that of the Standard Webhooks specification. */
const toleranceMs = 300 * secondMs;

const utf8 = new TextEncoder();

/**
 * Whether the body was signed with the secret recently, by the Standard Webhooks specification, under its own header names or Svix's.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
async function isSignedReport(secret: string, headers: Headers, body: string, now: number): Promise<boolean> {
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
