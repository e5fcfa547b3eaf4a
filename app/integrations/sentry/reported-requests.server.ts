/** Which requests are traced. Sentry's SDK costs half a query per request, so only traced ones run inside it; the others report through it. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DiagnosticsEnv } from "#workers/monitoring/rules.ts";

type ReportedRequest = { request: Request; env: DiagnosticsEnv; ctx: ExecutionContext; isTraced: boolean };

/** The request that the current code is run for; none in a cron job, or without an error receiver. */
export const reportedRequests = new AsyncLocalStorage<ReportedRequest>();

/** The SDK's handler doesn't trace these. */
export const isSkippedBySdk = ({ method }: Pick<Request, "method">): boolean =>
  method === "HEAD" || method === "OPTIONS";

/** Decides as the SDK would. A trace that a browser began continues as the browser says; any other request is traced by chance. */
export function isToBeTraced(request: Pick<Request, "method" | "headers">, rate: number, chance: number): boolean {
  if (isSkippedBySdk(request)) return false;
  const [, flag] = /-([01])$/.exec(request.headers.get("sentry-trace") ?? "") ?? [];
  return flag === undefined ? chance < rate : flag === "1";
}
