/**
 * Decides what is a bug. Shared by the browser's and the Worker's SDK, so that both report alike: redirects, refusals,
 * aborted requests and noise are never reported.
 */

/** A cause chain longer than this is a loop. */
const CAUSES_MAX = 20;

const REDIRECT_DIGEST = "REACT_ROUTER_ERROR:REDIRECT";

/** A React Router redirect: a 3xx Response, or an error with that digest, also as the cause of another error. */
export function isRedirectSignal(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause !== null && cause !== undefined; depth++) {
    const { status, digest, cause: next } = facts(cause);
    if (isResponse(cause) && typeof status === "number" && status >= 300 && status < 400) return true;
    if (typeof digest === "string" && digest.startsWith(REDIRECT_DIGEST)) return true;
    cause = next;
  }
  return false;
}

/** 4xx, thrown by our code (`data(…, { status: 404 })`) or by the router (no such page, method, bad request): an ordinary response. */
function isAnswer(error: unknown): boolean {
  const { status, internal, type, init } = facts(error);
  const isData = type === "DataWithResponseInit";
  // `internal` distinguishes React Router's error responses from other errors that have a status.
  if (!isResponse(error) && typeof internal !== "boolean" && !isData) return false;
  const code = isData ? facts(init)["status"] : status;
  return typeof code === "number" && code >= 400 && code < 500;
}

/** The visitor left the page or navigated on: nothing went wrong. */
function isAbort(error: unknown): boolean {
  return facts(error).name === "AbortError";
}

export function isReportable(error: unknown): boolean {
  return !isRedirectSignal(error) && !isAnswer(error) && !isAbort(error);
}

/** What is reported in place of a thrown Response, which would become "Error: [object Response]". */
export function asError(error: unknown): unknown {
  const { status, error: inner } = facts(error);
  if (isResponse(error)) return new Error(`A Response with status ${String(status)} was thrown`);
  return inner instanceof Error ? inner : error;
}

type EventWithMessage = { message?: string; exception?: { values?: { type?: string; value?: string }[] } };

/** The same for errors that the SDKs catch themselves and that are already events when this runs. */
export function withErrorMessage<Event extends EventWithMessage>(event: Event, original: unknown): Event {
  const error = isResponse(original) ? asError(original) : null;
  const last = event.exception?.values?.at(-1);
  if (!(error instanceof Error) || last === undefined) return event;
  Object.assign(last, { type: error.name, value: error.message });
  delete event.message;
  return event;
}

/** No such page, method or request, or not one of our forms: scanners that probe URLs must not use up the quota. */
export function isNoPage(status: unknown): boolean {
  return status === 400 || status === 403 || status === 404 || status === 405;
}

/**
 * Noise: errors that browsers, extensions and in-app browsers throw into our pages. The SDK filters a dozen itself
 * (cross-origin "Script error.", ResizeObserver with undelivered notifications, googletag, gmo, solana, CefSharp, …);
 * these are in addition. Each pattern matches the whole known message, so that it can't hide an error of our own.
 */
export const NOISY_ERRORS: readonly RegExp[] = [
  // The older wording of the ResizeObserver notice, and Safari's and Firefox's script errors without a source.
  /^ResizeObserver loop limit exceeded$/,
  /^Script error for /,
  // Extensions: their page scripts outlive them, or message a worker that no longer exists.
  /^Extension context invalidated\.?$/,
  /^The message port closed before a response was received\.?$/,
  /^Could not establish connection\. Receiving end does not exist\.?$/,
  /^A listener indicated an asynchronous response by returning true, but the message channel closed/,
  /^Invalid call to runtime\.sendMessage\(\)\. Tab not found\.?$/,
  /^Attempting to use a disconnected port object$/,
  /__firefox__|webkit-masked-url|zaloJSV2|ceCurrentVideo|instantSearchSDKJSBridgeClearHighlight/,
  // Wallet extensions compete for one global.
  /^Cannot redefine property: ethereum$/,
  /^Cannot set property ethereum of #<Window> which has only a getter$/,
  /^MetaMask: Lost connection|^MetaMask: Received invalid|^Failed to connect to MetaMask$/,
  // In-app browsers of social networks call native hosts that don't exist.
  /^Can't find variable: (?:WeixinJSBridge|PaymentAutofillConfig|logMutedMessage|msDiscoverChatAvailable)$/,
  /window\.webkit\.messageHandlers/,
  /^(?:Error: )?WKWebView API client did not respond to this postMessage$/,
  /^fb_xd_fragment$/,
  // Outlook's link scanner and similar scanners reject promises of their own with this.
  /^Non-Error promise rejection captured with value: Object Not Found Matching Id:/,
  // Translators move text nodes under React: Chrome, Firefox and Safari, in this order.
  /^Failed to execute '(?:removeChild|insertBefore)' on 'Node': The node (?:to be removed|before which the new node is to be inserted) is not a child of this node\.?$/,
  /^Node\.(?:removeChild: The node to be removed|insertBefore: Child to insert before) is not a child of this node\.?$/,
  /^(?:NotFoundError: )?The object can not be found here\.$/,
  // A script that doesn't load, offline or after a deployment: Chrome, Safari and Firefox, in this order.
  /^(?:TypeError: )?Failed to fetch dynamically imported module: \S+$/,
  /^(?:TypeError: )?Importing a module script failed\.$/,
  /^(?:TypeError: )?error loading dynamically imported module: \S+$/,
  // A page that is left during a request: Chrome, Safari and Firefox, in this order.
  /^(?:TypeError: )?Failed to fetch$/,
  /^(?:TypeError: )?Load failed$/,
  /^(?:TypeError: )?NetworkError when attempting to fetch resource\.?$/,
  /^(?:AbortError: )?The (?:operation|user) (?:was aborted|aborted a request)\.?/,
  // Logged by React Router itself: it prefetches the routes that links lead to.
  /^Failed to fetch manifest patches\b/,
];

type Frame = { filename?: string; function?: string; lineno?: number; colno?: number };
type ComparableEvent = {
  message?: string;
  fingerprint?: string[];
  exception?: { values?: { type?: string; value?: string; stacktrace?: { frames?: Frame[] } }[] };
};

/** Two events with the same key are the same bug: messages, types, frames and fingerprint. */
export function eventKey(event: ComparableEvent): string {
  const exceptions = (event.exception?.values ?? []).map(({ type, value, stacktrace }) => {
    const frames = stacktrace?.frames ?? [];
    return [type, value, frames.map((frame) => [frame.filename, frame.function, frame.lineno, frame.colno])];
  });
  return JSON.stringify([event.message, exceptions, event.fingerprint]);
}

/** True if the key was among the last N; stores it either way. The array is the memory. */
export function isRepeated(recent: string[], key: string, rememberedMax: number): boolean {
  if (recent.includes(key)) return true;
  recent.push(key);
  if (recent.length > rememberedMax) recent.shift();
  return false;
}

function isResponse(value: unknown): boolean {
  return typeof Response !== "undefined" && value instanceof Response;
}

/** Any value can be thrown; this reads the fields that may exist. */
function facts(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
