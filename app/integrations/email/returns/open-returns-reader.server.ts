import { assertNever, done, refused } from "#app/core/result.ts";
import { secondMs } from "#app/core/time/time.ts";
import { reportFailedCommand } from "#app/integrations/sentry/report-bug.server.ts";
import { fetchJson } from "../fetch-json.server.ts";
import { chosenEmailService } from "../email-services.ts";
import type { ReturnReport, ReturnsReader } from "./email-returns.ts";
import { parseJson, parsePostmarkReport, parseRelayReport, parseResendReport, parseSesReport } from "./parse-report.ts";
import { hasReportPassword } from "./has-report-password.server.ts";
import { isSignedReport } from "./is-signed-report.server.ts";

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
