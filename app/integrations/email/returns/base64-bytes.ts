/** The bytes of a Base64 text. Null for any other text. */
export function base64Bytes(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return base64 === "" ? null : Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
