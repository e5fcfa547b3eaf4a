import { type CloudflareOptions, linkedErrorsIntegration, withStaticSpan } from "@sentry/cloudflare";
import { LINKED_ERRORS_MAX, SEND_QUEUE_EVENTS_MAX } from "#workers/monitoring/constants.ts";
import { isNoPage, isReportable, withErrorMessage } from "./filters.rules.ts";
import { type DiagnosticsEnv, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { scrubText, withoutPersonalData } from "./scrub.rules.ts";
import { reportedRequests } from "./reported-requests.server.ts";

export function workerSdkOptions(env: DiagnosticsEnv): CloudflareOptions {
  const settings = settingsFromEnv(env);
  return {
    dsn: settings.dsn === null ? undefined : env.SENTRY_DSN,
    enabled: settings.dsn !== null,
    release: settings.release || undefined,
    environment: settings.environment,
    // Whether a request is traced was decided before the SDK was called. Cron jobs have no request.
    tracesSampler: ({ inheritOrSampleWith }) => {
      const request = reportedRequests.getStore();
      return request === undefined ? settings.tracesSampleRate : request.isTraced ? inheritOrSampleWith(1) : 0;
    },
    transportOptions: { bufferSize: SEND_QUEUE_EVENTS_MAX, fetchOptions: { redirect: "manual" } },
    // Every visitor's reference id must be found, so the same bug is reported again for each.
    enableDedupe: false,
    integrations: [linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX })],
    // One request is one event that the filters below see whole; streamed spans would bypass them.
    traceLifecycle: "static",
    // No third-party service uses our trace headers (Stripe).
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      databaseQueryData: false,
      stackFrameVariables: false,
    },
    beforeSend(event, hint) {
      if (!isReportable(hint.originalException)) return null;
      return withoutVisitor(withErrorMessage(event, hint.originalException));
    },
    beforeSendTransaction: (event) =>
      isIdle(event) ? null : withoutVisitor(withSampleRate(event, settings.tracesSampleRate)),
    beforeSendSpan: withStaticSpan((span) => withoutPersonalData(span)),
    beforeSendLog: (log) => ({
      ...log,
      message: scrubText(String(log.message)),
      attributes: withoutPersonalData(log.attributes),
    }),
    beforeBreadcrumb: (crumb) => withoutPersonalData(crumb),
  };
}

type Traced = {
  contexts?: { trace?: { op?: string; data?: Record<string, unknown> }; culture?: unknown };
};

/** Whether the trace is of no page, or of work left over from a finished request. */
function isIdle({ contexts }: Traced): boolean {
  const { op = "", data } = contexts?.trace ?? {};
  // The SDK references a trace weakly: after the response (sending emails) it may be collected, and a query would become a separate trace.
  const isLeftOver = op.startsWith("db") || op === "http.client";
  return isLeftOver || isNoPage(data?.["http.response.status_code"]);
}

type Sampled = {
  contexts?: { trace?: { parent_span_id?: string; data?: Record<string, unknown> } };
  sdkProcessingMetadata?: { dynamicSamplingContext?: object };
};

/** The receiver extrapolates by the rate at which we traced, not by that of the SDK. A continued trace has its browser's rate. */
function withSampleRate<T extends Sampled>(event: T, rate: number): T {
  const { trace } = event.contexts ?? {};
  if (!trace || trace.parent_span_id !== undefined) return event;
  const { sdkProcessingMetadata: sdk } = event;
  if (trace.data) trace.data["sentry.sample_rate"] = rate;
  if (sdk?.dynamicSamplingContext)
    sdk.dynamicSamplingContext = { ...sdk.dynamicSamplingContext, sample_rate: String(rate) };
  return event;
}

type Visited = Pick<Traced, "contexts"> & {
  user?: unknown;
  request?: { url?: string; method?: string };
  sdk?: { settings?: { infer_ip?: "auto" | "never" } };
};

/** Events carry no personal data: no user, address, browser, headers or location. */
function withoutVisitor<T extends Visited>(event: T): T {
  const scrubbed = withoutPersonalData(event);
  delete scrubbed.user;
  // Cloudflare adds the visitor's CF-Connecting-IP to a Worker's outgoing requests while it serves them. Without this setting Relay
  // stores that address with every event whose platform is "javascript", as this SDK's is.
  scrubbed.sdk = { ...scrubbed.sdk, settings: { ...scrubbed.sdk?.settings, infer_ip: "never" } };
  delete scrubbed.contexts?.culture;
  delete scrubbed.contexts?.trace?.data?.["user_agent.original"];
  if (scrubbed.request) scrubbed.request = { url: scrubbed.request.url, method: scrubbed.request.method };
  return scrubbed;
}
