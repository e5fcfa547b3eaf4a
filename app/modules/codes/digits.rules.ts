/** The eight digits of a code: how they are drawn, read from what was typed, kept and compared. */
import { fitsKeyedHash, keyedHash } from "#app/core/digest.ts";

/** Digits of an emailed code. */
export const codeDigits = 8;

/** A person types "1234 5678" or "1234-5678"; other writings of digits count too. Null: not eight digits. */
export function readDigits(typed: string): string | null {
  const digits = typed.normalize("NFKC").replace(/[\s\-\u2010-\u2015.]/g, "");
  return /^\d{8}$/.test(digits) ? digits : null;
}

/** Eight digits without a preference for small ones: four random bytes, those past the last whole 10^8 drawn again. */
export function drawCode(random: (byteCount: number) => Uint8Array): string {
  const range = 10 ** codeDigits;
  const fair = Math.floor(2 ** 32 / range) * range;
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = random(4);
    const drawn = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (drawn < fair) return String(drawn % range).padStart(codeDigits, "0");
  }
}

/** What the table keeps of a code: a keyed hash that holds for one request only. */
export function hashCode(pepper: string, requestId: string, digits: string): Promise<string> {
  return keyedHash(pepper, "code", `${requestId}\n${digits}`);
}

/** Are these the digits that the table keeps the hash of? Of a code that nobody was mailed it keeps that of none: nothing fits it. */
export async function fitsCode(
  pepper: string,
  code: { id: string; codeHash: string },
  digits: string,
): Promise<boolean> {
  const fits = await fitsKeyedHash(pepper, "code", `${code.id}\n${digits}`, code.codeHash);
  return fits && digits !== "";
}
