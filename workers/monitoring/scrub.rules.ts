/**
 * What must not travel with a report. Shared by the browser's and the Worker's SDK: queries, fragments, addresses and ids
 * never, wherever they stand.
 */

/** A copy of what is about to be sent, without queries, fragments, e-mail addresses and ids in any of its texts. */
export function withoutPersonalData<T>(value: T): T {
  // Every part keeps its kind: texts stay texts, lists lists, objects objects.
  return scrub(value, 0) as T;
}

/**
 * Word by word, since one expression over a whole text takes minutes for texts made to hurt. Codes and tokens travel in
 * queries and fragments: of anything that looks like a path, what is behind it goes.
 */
export function scrubText(text: string): string {
  return text.replace(WORD, (word) => withoutAddresses(withoutQuery(word)).replace(ID, "$1_[id]"));
}

/**
 * Ours (`ord_` and 26 letters and figures) and the payment provider's, whose keys look alike: each is somebody's.
 * One in twelve of the provider's has no figure, so that rather a `name_withManyCapitals` is lost than an id is kept.
 */
const ID =
  /(?<![0-9A-Za-z])([a-z]{2,6}(?:_test|_live)?)_(?:[0-9a-z]{26}(?![0-9A-Za-z])|(?=[a-z]*[0-9A-Z])[0-9A-Za-z]{14,})/g;

/** Quotes and brackets that a URL may hold don't end it: rather a bracket too many lost than a token kept. */
const WORD = /[^\s"`<>]+/g;

function withoutQuery(word: string): string {
  const end = word.search(/[?#]/);
  return end !== -1 && word.lastIndexOf("/", end) !== -1 ? word.slice(0, end) : word;
}

function withoutAddresses(word: string): string {
  if (!AT.test(word)) return word;
  return word
    .split(/([=:;,/&|'()])/)
    .map((part) => (isMailAddress(part) ? "[address]" : part))
    .join("");
}

const AT = /@|%40/;

/** Letters behind the last dots, unlike in package@1.2.3. */
function isMailAddress(part: string): boolean {
  const at = part.search(AT);
  return at > 0 && /\.\p{L}{2,}/u.test(part.slice(at));
}

/** Fields that are a query or a fragment and nothing else. */
const DROPPED_KEYS = new Set([
  ...["query_string", "http.query", "http.fragment", "url.query", "url.fragment", "cookies"],
  ...["client.address", "network.peer.address", "http.client_ip", "user.ip_address"],
]);
/** Span attributes per header (`http.response.header.set_cookie.…`): some SDK versions record all of them. */
const HEADER_ATTRIBUTE = /^http\.(?:request|response)\.header\./;
/** Fields that hold a URL, maybe a relative one ("?code=123456"). */
const URL_KEYS = new Set(["url", "to", "from", "href", "http.url", "http.target", "url.full"]);

/** Nested deeper than the SDKs normalise (3 levels inside of `extra`), nothing of ours is left. */
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

/** Spans and scopes ride along on events in places of their own; those are left as they are and never serialised. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
