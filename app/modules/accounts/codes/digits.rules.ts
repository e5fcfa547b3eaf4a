/** The eight digits of a code: generating, parsing what the user typed, hashing and comparing. */
import type { RequestId } from "#app/core/id.ts";
import { matchesKeyedHash, keyedHash } from "#app/core/hash.ts";
import { normaliseDigits } from "#app/core/text/digits.ts";

/** Digits of an emailed code. */
export const codeDigits = 8;

/** Accepts "1234 5678", "code: 1234-5678" and other scripts' digits. Null if they aren't eight digits. */
export function readDigits(typed: string): string | null {
  const digits = normaliseDigits(typed);
  return /^\d{8}$/.test(digits) ? digits : null;
}

/** Eight uniformly distributed digits from four random bytes; values past the last whole 10^8 are skipped, to avoid modulo bias. */
export function generateCode(random: (byteCount: number) => Uint8Array): string {
  const range = 10 ** codeDigits;
  const fair = Math.floor(2 ** 32 / range) * range;
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = random(4);
    const candidate = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (candidate < fair) return String(candidate % range).padStart(codeDigits, "0");
  }
}

/** The stored form: a keyed hash bound to one request. */
export function hashCode(pepper: string, requestId: RequestId, digits: string): Promise<string> {
  return keyedHash(pepper, "code", `${requestId}\n${digits}`);
}

/** By which the same wrong digits are recognised when they are sent again. */
export function hashWrongDigits(pepper: string, address: string, digits: string): Promise<string> {
  return keyedHash(pepper, "wrong code", `${address}\n${digits}`);
}

/** Do the digits match the stored hash? A request without an emailed code stores the hash of an empty string, which no digits match. */
export async function matchesCode(
  pepper: string,
  code: { id: RequestId; codeHash: string },
  digits: string,
): Promise<boolean> {
  const fits = await matchesKeyedHash(pepper, "code", `${code.id}\n${digits}`, code.codeHash);
  return fits && digits !== "";
}
