import type { EmailSender } from "#app/core/text/email-sender.ts";
import { formatSender } from "../format-sender.ts";

/** RFC 2047, section 2: a word has at most 75 characters, of which 63 are Base64 here: 45 bytes are 60. */
const wordOctetsMax = 45;

/** The sender as in an email's header, in ASCII alone: a name beyond ASCII becomes encoded words. */
export function encodeSender({ name, address }: EmailSender): string {
  if (!/[^ -~]/.test(name)) return formatSender({ name, address });
  return `${wordsOf(name).join(" ")} <${address}>`;
}

/** A word consists of whole characters. Readers drop the blanks between two words. */
function wordsOf(name: string): string[] {
  const chunks: Uint8Array[] = [];
  let chunk: number[] = [];
  for (const character of name) {
    const octets = new TextEncoder().encode(character);
    if (chunk.length + octets.length > wordOctetsMax) {
      chunks.push(Uint8Array.from(chunk));
      chunk = [];
    }
    chunk.push(...octets);
  }
  return [...chunks, Uint8Array.from(chunk)].map((bytes) => `=?UTF-8?B?${btoa(String.fromCharCode(...bytes))}?=`);
}
