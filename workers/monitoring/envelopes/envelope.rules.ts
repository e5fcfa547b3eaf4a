/**
 * The framing of Sentry envelopes, on bytes, exactly by the protocol's grammar:
 *   Envelope = Headers { "\n" Item } [ "\n" ] ;  Item = Headers "\n" Payload
 * A payload is never decoded, and nothing here copies one: an item is a pair of offsets.
 */
import { BODY_BYTES_CEILING, ENVELOPE_ITEMS_MAX, HEADER_LINE_BYTES_MAX } from "../constants.ts";

type JsonObject = Record<string, unknown>;

export type EnvelopeItem = {
  type: string;
  header: JsonObject;
  /** Offset of the item's header line. */
  start: number;
  payloadStart: number;
  /** Offset behind the payload: a newline, or the end of the envelope. */
  end: number;
};

export type Envelope = {
  bytes: Uint8Array;
  header: JsonObject;
  /** Offset behind the header line. */
  headerEnd: number;
  items: readonly EnvelopeItem[];
};

type FramingFault = "invalid_header" | "invalid_item_header" | "missing_newline" | "unexpected_eof";

type Framing = { ok: true; envelope: Envelope } | { ok: false; fault: FramingFault | "too_many_items" };

const NEWLINE = 0x0a;

export function parseEnvelope(bytes: Uint8Array): Framing {
  const line = readHeaderLine(bytes, 0);
  if (line === null) return { ok: false, fault: "invalid_header" };
  const items: EnvelopeItem[] = [];
  for (let offset = line.end + 1; offset < bytes.length;) {
    const item = readItem(bytes, offset);
    if (typeof item === "string") return { ok: false, fault: item };
    // Checked here rather than by the callers that count them: a few compressed kilobytes can contain half a million empty items.
    if (items.length === ENVELOPE_ITEMS_MAX) return { ok: false, fault: "too_many_items" };
    items.push(item);
    offset = item.end + 1;
  }
  return { ok: true, envelope: { bytes, header: line.header, headerEnd: line.end, items } };
}

/** The envelope with only these items and without forgeable header fields; the same bytes if nothing changes. */
export function rebuildEnvelope(envelope: Envelope, items: readonly EnvelopeItem[]): Uint8Array {
  const { bytes, header, headerEnd } = envelope;
  const isForged = FORGEABLE_FIELDS.some((field) => Object.hasOwn(header, field));
  if (!isForged && items.length === envelope.items.length) return bytes;
  const line = bytes.subarray(0, headerEnd);
  const parts = [isForged ? withoutForgeableFields(line) : line];
  for (const item of items) parts.push(bytes.subarray(item.start, item.end));
  return joinLines(parts);
}

/**
 * Appends an item. A newline at the end may belong to the last payload, and a last item without payload may lack the newline
 * of its header: only the items' offsets show where they end.
 */
export function withItem({ bytes, headerEnd, items }: Envelope, item: Uint8Array): Uint8Array {
  const last = items.at(-1);
  const isHeaderOpen = last !== undefined && bytes[last.payloadStart - 1] !== NEWLINE;
  const before = [bytes.subarray(0, last?.end ?? headerEnd)];
  return joinLines(isHeaderOpen ? [...before, NO_PAYLOAD, item] : [...before, item]);
}

const NO_PAYLOAD = new Uint8Array();

function joinLines(parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, parts.length - 1);
  const joined = new Uint8Array(size).fill(NEWLINE);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length + 1;
  }
  return joined;
}

/** What can be recognised of an envelope that arrived only in part; enough to count what was refused. */
export function peekEnvelope(bytes: Uint8Array): Envelope | null {
  const line = readHeaderLine(bytes, 0);
  if (line === null) return null;
  const items: EnvelopeItem[] = [];
  for (let offset = line.end + 1; offset < bytes.length && items.length < ENVELOPE_ITEMS_MAX;) {
    const item = peekItem(bytes, offset);
    if (item === null) break;
    items.push(item);
    offset = item.end + 1;
  }
  return { bytes, header: line.header, headerEnd: line.end, items };
}

function peekItem(bytes: Uint8Array, start: number): EnvelopeItem | null {
  const line = readHeaderLine(bytes, start);
  if (line === null || typeof line.header["type"] !== "string") return null;
  const { type, length } = line.header;
  const payloadStart = Math.min(line.end + 1, bytes.length);
  // The rest of the payload was never read: its size is taken from the header, up to the largest body.
  const size = typeof length === "number" && length > 0 ? Math.min(Math.trunc(length), BODY_BYTES_CEILING) : null;
  return {
    type,
    header: line.header,
    start,
    payloadStart,
    end: size === null ? endOfLine(bytes, payloadStart) : payloadStart + size,
  };
}

function readItem(bytes: Uint8Array, start: number): EnvelopeItem | FramingFault {
  const line = readHeaderLine(bytes, start);
  if (line === null) return "invalid_item_header";
  const { type, length } = line.header;
  if (typeof type !== "string" || type === "") return "invalid_item_header";
  const payloadStart = Math.min(line.end + 1, bytes.length);
  const item = { type, header: line.header, start, payloadStart };
  // Without a length the payload ends at the newline, and a "\r" before it belongs to the payload.
  if (length === undefined || length === null) return { ...item, end: endOfLine(bytes, payloadStart) };
  if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0) return "invalid_item_header";
  const end = payloadStart + length;
  if (end > bytes.length) return "unexpected_eof";
  if (end < bytes.length && bytes[end] !== NEWLINE) return "missing_newline";
  return { ...item, end };
}

function readHeaderLine(bytes: Uint8Array, start: number): { header: JsonObject; end: number } | null {
  const end = endOfLine(bytes, start);
  if (end - start > HEADER_LINE_BYTES_MAX) return null;
  const header = parseObject(bytes.subarray(start, end));
  return header === null ? null : { header, end };
}

function endOfLine(bytes: Uint8Array, start: number): number {
  const newline = bytes.indexOf(NEWLINE, start);
  return newline === -1 ? bytes.length : newline;
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
// A byte order mark isn't part of the grammar: left in place, it fails the check for the opening brace.
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** JSON.parse alone would accept whitespace around the object, "\r" included. */
function parseObject(line: Uint8Array): JsonObject | null {
  if (line[0] !== OPENING_BRACE || line.at(-1) !== CLOSING_BRACE) return null;
  try {
    // JSON that starts and ends with braces is an object.
    return JSON.parse(strictUtf8.decode(line)) as JsonObject;
  } catch {
    return null;
  }
}

/** JSON.parse uses the last of several equal keys: the checked value would not be the only one forwarded. */
export function isSaidOnce(envelope: Envelope, key: string): boolean {
  const line = strictUtf8.decode(envelope.bytes.subarray(0, envelope.headerEnd));
  const quoted = `"${key}"`;
  // The key almost always occurs once and without escapes; only otherwise the line is tokenised (8 µs).
  if (!line.includes("\\u") && line.indexOf(quoted) === line.lastIndexOf(quoted))
    return Object.hasOwn(envelope.header, key);
  const members = splitMembers(line.slice(1, -1));
  return members.filter((member) => keyOf(member) === key).length === 1;
}

/**
 * Receivers let these fields of the envelope header override the request or their own settings (Relay,
 * `PartialMeta::copy_to`, `EnvelopeHeaders`): a browser could claim any address, client or retention through us.
 */
// oxfmt-ignore
const FORGEABLE_FIELDS = [
  "forwarded_for", "remote_addr", "user_agent", "client_hints", "origin", "client", "no_cache", "retention",
  "downsampled_retention", "required_features",
];

/** Cut out as text, so that the rest of the line is unchanged byte for byte (escapes, number formats, order). */
function withoutForgeableFields(line: Uint8Array): Uint8Array {
  const members = splitMembers(strictUtf8.decode(line).slice(1, -1));
  const remaining = members.filter((member) => !FORGEABLE_FIELDS.includes(keyOf(member)));
  return new TextEncoder().encode(`{${remaining.join(",")}}`);
}

function splitMembers(inner: string): string[] {
  const members: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    else if (char === "," && depth === 0) {
      members.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  members.push(inner.slice(start));
  return members;
}

function keyOf(member: string): string {
  const [, literal] = /^\s*("(?:[^"\\]|\\.)*")/.exec(member) ?? [];
  // Parsed, since a key may be written with escapes ("\u0063lient").
  return literal === undefined ? "" : String(JSON.parse(literal));
}
