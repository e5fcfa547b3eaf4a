/** Base64url (RFC 4648, section 5) without padding, as WebAuthn has it; it needs no escaping in a cookie. */
export function bytesToBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Throws on invalid base64url. */
export function base64urlToBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

export function textToBase64url(text: string): string {
  return bytesToBase64url(new TextEncoder().encode(text));
}

/** The UTF-8 text in base64url; null if it is invalid. */
export function base64urlToText(base64url: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(base64urlToBytes(base64url));
  } catch {
    return null;
  }
}
