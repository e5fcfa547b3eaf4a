/** The code in a link that is shared: ten characters, 50 bits, of the alphabet of ids. It grants nothing; it only identifies the link's owner. */
import { type Random, toBase32 } from "./id.ts";

/** Few enough characters to read out, too many to guess. */
const codeLength = 10;

export function newLinkCode(random: Random): string {
  return toBase32(random(7)).slice(0, codeLength);
}

/** The code in a link, or null if it can't be one of ours, so that garbage costs no query. */
export function readLinkCode(text: string | null | undefined): string | null {
  return text && /^[0-9a-hjkmnp-tv-z]{10}$/.test(text) ? text : null;
}
