/**
 * A DSN names a project at a receiver: protocol://key[:secret]@host[:port][/path]/project.
 * The tunnel sends to its own DSN only, and compares a browser's DSN with it component by component,
 * since SDKs write the same one differently (`key:@host`, `key@host`, a query after the project).
 */

export type Dsn = {
  protocol: "http" | "https";
  publicKey: string;
  /** Deprecated by the protocol; parsed so that it can be removed. */
  secret: string;
  host: string;
  port: string;
  path: string;
  projectId: string;
};

// Not `new URL()`: it refuses IPv6 zones (`[fe80::1%25eth0]`) and rewrites hosts before we can compare.
const DSN =
  /^(https?):\/\/([\w-]+)(?::([\w-]*))?@(\[[\w:.%]+\]|[\w.-]+)(?::(\d{1,5}))?\/(?:([\w./~%-]+)\/)?(\d+)(?:[?#].*)?$/;

export function parseDsn(text: string): Dsn | null {
  const match = DSN.exec(text);
  if (match === null) return null;
  const [, protocol, publicKey = "", secret = "", host = "", port = "", path = "", projectId = ""] = match;
  return { protocol: protocol === "http" ? "http" : "https", publicKey, secret, host, port, path, projectId };
}

export function isSameDestination(one: Dsn, other: Dsn): boolean {
  return (
    one.protocol === other.protocol &&
    one.publicKey === other.publicKey &&
    one.host.toLowerCase() === other.host.toLowerCase() &&
    effectivePort(one) === effectivePort(other) &&
    one.path === other.path &&
    one.projectId === other.projectId
  );
}

/** The URL of this project's envelopes. The key is in the query, as in the SDKs; there is no second authentication. */
export function envelopeUrl(dsn: Dsn): string {
  const path = dsn.path === "" ? "" : `${dsn.path}/`;
  return `${origin(dsn)}/${path}api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}`;
}

/** The public form for browsers: never with the secret. */
export function publicDsnText(dsn: Dsn): string {
  const path = dsn.path === "" ? "" : `${dsn.path}/`;
  return origin(dsn).replace("://", `://${dsn.publicKey}@`) + `/${path}${dsn.projectId}`;
}

function origin(dsn: Dsn): string {
  return `${dsn.protocol}://${dsn.host}${dsn.port === "" ? "" : `:${dsn.port}`}`;
}

function effectivePort(dsn: Dsn): string {
  if (dsn.port !== "") return String(Number(dsn.port));
  return dsn.protocol === "https" ? "443" : "80";
}
