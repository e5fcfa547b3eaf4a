/**
 * Browsers' reports about what the content security policy blocked: parses both formats, drops noise, and removes anything that
 * could identify a person. Pure. No text of a report is forwarded unchanged.
 */
export type Violation = {
  /** For example `script-src-elem`. */
  directive: string;
  /** A keyword such as `inline`, a scheme, or an origin. */
  blocked: string;
  /** The page, its origin and the pattern of its path. */
  document: string;
  disposition: "enforce" | "report";
  /** Our own file by its path, any other by its origin. */
  source?: string;
  line?: number;
  column?: number;
};

type ReportFormat = "legacy" | "reporting-api";

/** Sent by `report-uri` and `report-to`. Another site's page can't send either without a CORS preflight. */
const FORMATS: ReadonlyMap<string, ReportFormat> = new Map([
  ["application/csp-report", "legacy"],
  ["application/reports+json", "reporting-api"],
]);

export function reportFormat(contentType: string | null): ReportFormat | null {
  return FORMATS.get(contentType?.split(";")[0]?.trim().toLowerCase() ?? "") ?? null;
}

/** Null if the body doesn't match its content type. Reports of other kinds, of other pages and noise are left out. */
export function readViolations(bytes: Uint8Array, format: ReportFormat, ownOrigin: string): Violation[] | null {
  const reports = format === "legacy" ? legacyReports(parseJson(bytes)) : apiReports(parseJson(bytes));
  return reports?.flatMap((report) => readViolation(report, ownOrigin) ?? []) ?? null;
}

/** Two violations with the same key are equal: directive, what was blocked, and the pattern of the page's path. */
export function violationKey({ directive, blocked, document }: Violation): string {
  return `${directive} ${blocked} ${document}`;
}

type Fields = Record<string, unknown>;

function legacyReports(body: unknown): Fields[] | null {
  const report = isFields(body) ? body["csp-report"] : null;
  if (!isFields(report)) return null;
  return [
    {
      ...report,
      documentURL: report["document-uri"],
      blockedURL: report["blocked-uri"],
      // Old browsers send only the second field, in which the directive's sources may follow its name.
      effectiveDirective: report["effective-directive"] || report["violated-directive"],
      sourceFile: report["source-file"],
      lineNumber: report["line-number"],
      columnNumber: report["column-number"],
    },
  ];
}

function apiReports(body: unknown): Fields[] | null {
  if (!Array.isArray(body) || !body.every(isFields)) return null;
  return body.flatMap(({ type, body: report }) => (type === "csp-violation" && isFields(report) ? [report] : []));
}

function readViolation(report: Fields, ownOrigin: string): Violation | null {
  const document = parseUrl(text(report["documentURL"]));
  const [directive = ""] = text(report["effectiveDirective"]).trim().split(/\s/);
  const blocked = readBlocked(text(report["blockedURL"]));
  const source = text(report["sourceFile"]);
  if (document?.origin !== ownOrigin || !KEYWORD.test(directive) || blocked === null) return null;
  if (isNoise(blocked, source, ownOrigin)) return null;
  return {
    directive,
    blocked,
    document: ownOrigin + pathPattern(document.pathname),
    disposition: report["disposition"] === "report" ? "report" : "enforce",
    ...optional("source", readSource(source, ownOrigin)),
    ...optional("line", position(report["lineNumber"])),
    ...optional("column", position(report["columnNumber"])),
  };
}

const KEYWORD = /^[a-z][a-z-]{2,39}$/;

/** Paths and queries of a blocked URL may contain tokens: the origin is enough. Old browsers send an empty value for "inline". */
function readBlocked(blocked: string): string | null {
  if (blocked === "") return "inline";
  if (KEYWORD.test(blocked)) return blocked;
  const url = parseUrl(blocked);
  if (url === null) return null;
  return /^(?:http|ws)s?:$/.test(url.protocol) ? url.origin : url.protocol.slice(0, -1);
}

/**
 * Schemes of extensions and of the browser's own pages: the policy blocks what these insert into a page, which is no fault of the
 * page. Chrome, Firefox, Safari, old Edge and Safari, Safari's placeholder for extensions, and the browsers' internals.
 */
const NOISY_SCHEMES: ReadonlySet<string> = new Set([
  "chrome-extension",
  "moz-extension",
  "safari-web-extension",
  "safari-extension",
  "ms-browser-extension",
  "webkit-masked-url",
  "about",
  "chrome",
  "edge",
  "opera",
  "resource",
  "jar",
  "view-source",
]);

/** None of our pages evaluates text, so `eval` that isn't called from one of our files comes from an extension. */
function isNoise(blocked: string, source: string, ownOrigin: string): boolean {
  if (NOISY_SCHEMES.has(schemeOf(blocked)) || NOISY_SCHEMES.has(schemeOf(source))) return true;
  return (blocked === "eval" || blocked === "wasm-eval") && parseUrl(source)?.origin !== ownOrigin;
}

/** Some browsers send the scheme alone, without its colon. */
function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*/i.exec(url)?.[0].toLowerCase() ?? "";
}

function readSource(source: string, ownOrigin: string): string | undefined {
  const url = parseUrl(source);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.origin !== ownOrigin) return url.origin;
  // Built files have a hash in their names and are safe to name; any other path may be a page.
  return ownOrigin + (url.pathname.startsWith("/assets/") ? url.pathname : pathPattern(url.pathname));
}

/** Path segments of a page that a policy report retains. */
const SEGMENTS_MAX = 8;

/** Our page paths consist of words. Any other segment may identify a person. */
function pathPattern(pathname: string): string {
  const segments = pathname.split("/").slice(1, SEGMENTS_MAX + 1);
  return `/${segments.map((segment) => (WORDS.test(segment) ? segment : "[id]")).join("/")}`;
}

const WORDS = /^(?:[a-z-]{1,24})?$/;

function position(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  // The object has one computed key, which TypeScript widens to any string.
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseUrl(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
