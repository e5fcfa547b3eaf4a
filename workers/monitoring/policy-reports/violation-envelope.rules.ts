import { type Dsn, publicDsnText } from "../envelopes/dsn.rules.ts";
import type { Violation } from "./violations.rules.ts";

type ReportOrigin = { dsn: Dsn; environment: string; release: string; eventId: string; now: number };

/**
 * One envelope with one report, as the receiver's own endpoint for such reports would build it (Relay, `endpoints/security_report`):
 * the item is in the legacy format, which all receivers read, and the event's other facts are headers of the item.
 */
export function violationEnvelope(violation: Violation, origin: ReportOrigin): Uint8Array {
  const { directive, blocked, document, disposition, source, line, column } = violation;
  const { dsn, environment, release, eventId, now } = origin;
  const report = {
    "document-uri": document,
    "violated-directive": directive,
    "effective-directive": directive,
    "blocked-uri": blocked,
    "source-file": source,
    "line-number": line,
    "column-number": column,
    disposition,
  };
  const payload = new TextEncoder().encode(JSON.stringify({ "csp-report": report }));
  const header = { event_id: eventId, dsn: publicDsnText(dsn), sent_at: new Date(now).toISOString() };
  const item = {
    type: "raw_security",
    content_type: "application/json",
    length: payload.length,
    sentry_environment: environment,
    ...(release === "" ? {} : { sentry_release: release }),
  };
  const lines = new TextEncoder().encode(`${JSON.stringify(header)}\n${JSON.stringify(item)}\n`);
  const envelope = new Uint8Array(lines.length + payload.length);
  envelope.set(lines);
  envelope.set(payload, lines.length);
  return envelope;
}
