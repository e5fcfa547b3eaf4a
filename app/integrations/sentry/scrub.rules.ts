/**
 * Removes what must not be sent in a report. Shared by the browser's and the Worker's SDK: queries, fragments, addresses and ids
 * are removed wherever they occur.
 */

/** A copy of the payload without queries, fragments, email addresses and ids in any of its strings. */
export function withoutPersonalData<T>(value: T): T {
  // Every part keeps its type: strings stay strings, lists lists, objects objects.
  return scrub(value, 0) as T;
}

/**
 * Word by word, since one regular expression over a whole text takes minutes on hostile input. Codes and tokens are sent in queries and
 * fragments: in anything that looks like a path, everything after it is removed.
 */
export function scrubText(text: string): string {
  return text.replace(WORD, (word) => withoutAddresses(withoutQuery(word)).replace(ID, "$1_[id]"));
}

/**
 * Our ids (`ord_` and 26 letters and digits) and Stripe's, whose keys look alike: each belongs to a person.
 * One in twelve of Stripe's has no digit, so the pattern prefers to remove a `name_withManyCapitals` than to let an id pass.
 */
const ID =
  /(?<![0-9A-Za-z])([a-z]{2,6}(?:_test|_live)?)_(?:[0-9a-z]{26}(?![0-9A-Za-z])|(?=[a-z]*[0-9A-Z])[0-9A-Za-z]{14,})/g;

/** Quotes and brackets that a URL may contain don't end it: removing one bracket too many is better than leaving a token. */
const WORD = /[^\s"`<>]+/g;

function withoutQuery(word: string): string {
  const end = word.search(/[?#]/);
  return end !== -1 && word.lastIndexOf("/", end) !== -1 ? word.slice(0, end) : word;
}

function withoutAddresses(word: string): string {
  if (!AT.test(word)) return word;
  return word
    .split(/([=:;,/&|'()])/)
    .map((part) => (isEmailAddress(part) ? "[address]" : part))
    .join("");
}

const AT = /@|%40/;

/** Letters after the last dots, unlike in package@1.2.3. */
function isEmailAddress(part: string): boolean {
  const at = part.search(AT);
  return at > 0 && /\.\p{L}{2,}/u.test(part.slice(at));
}

/** Fields that contain only a query or a fragment. */
const DROPPED_KEYS = new Set([
  "query_string",
  "http.query",
  "http.fragment",
  "url.query",
  "url.fragment",
  "cookies",
  "client.address",
  "network.peer.address",
  "http.client_ip",
  "user.ip_address",
]);
/** Span attributes per header (`http.response.header.set_cookie.…`): some SDK versions record all of them. */
const HEADER_ATTRIBUTE = /^http\.(?:request|response)\.header\./;
/** Fields that contain a URL, possibly a relative one ("?code=123456"). */
const URL_KEYS = new Set(["url", "to", "from", "href", "http.url", "http.target", "url.full"]);

/** Deeper than the SDKs normalise (3 levels inside `extra`), there is no data of ours. */
const DEPTH_MAX = 12;

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === "string") return scrubText(value);
  if (typeof value !== "object" || value === null || depth >= DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((part) => scrub(part, depth + 1));
  if (!isPlain(value)) return value;
  const scrubbed: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (DROPPED_KEYS.has(key) || HEADER_ATTRIBUTE.test(key)) continue;
    const isUrl = URL_KEYS.has(key) && typeof part === "string";
    scrubbed[key] = scrub(isUrl ? part.replace(/[?#].*$/s, "") : part, depth + 1);
  }
  return scrubbed;
}

/** Spans and scopes are attached to events under their own keys; those are left unchanged and never serialised. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
