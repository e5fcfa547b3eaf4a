/** Longer than any path of this site with its query. */
const pathLengthMax = 2000;

/**
 * A return path on this site: a path with its query, taken from a URL parser rather than a prefix check. Null for everything else: other
 * hosts, other schemes, `//host`, backslashes, control characters.
 */
export function readPath(text: string | null | undefined): string | null {
  if (!text || text.length > pathLengthMax || !text.startsWith("/") || /[\\\u0000-\u001f\u007f]/.test(text))
    return null;
  const base = "https://this-site.invalid";
  try {
    const url = new URL(text, base);
    const path = url.pathname + url.search + url.hash;
    return url.origin === base && !path.startsWith("//") ? path : null;
  } catch {
    return null;
  }
}
