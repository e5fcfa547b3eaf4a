import { getActiveSpan, startSpan } from "@sentry/cloudflare";
import type { Watch } from "#app/db/watch-trips.server.ts";

/**
 * A span for each database round trip of a traced request. The SDK's own instrumentation parses each statement three times, whether or
 * not the request is traced.
 */
export function tripWatch(): Watch | null {
  if (!getActiveSpan()?.isRecording()) return null;
  return (statements, makeTrip) => {
    const queries = statements.map((sql) => sql.replaceAll(/\s+/g, " "));
    const [query = "", ...others] = queries;
    const name = others.length === 0 ? query : "D1 batch";
    const attributes = { "db.system.name": "cloudflare-d1", "db.query.text": queries.join("\n") };
    return startSpan({ name, op: "db.query", attributes }, makeTrip);
  };
}
