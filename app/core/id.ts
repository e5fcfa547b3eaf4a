/** Ids are words of a module's own: `ord_` and 26 letters and figures (128 bits, Crockford's alphabet without i, l, o, u). */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type Random = (byteCount: number) => Uint8Array;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export function newId<Prefix extends string>(prefix: Prefix, random: Random): Id<Prefix> {
  return `${prefix}_${toBase32(random(16))}`;
}

/** 256 bits for cookies and links, in URL-safe letters. What is stored is its hash. */
export function newToken(random: Random): string {
  return toBase32(random(32));
}

/** What one answer's scripts and the policy beside them share: 128 bits. */
export function newNonce(random: Random): string {
  return toBase32(random(16));
}

/** Five bits a letter, the last one padded with zeros. */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += alphabet.charAt((pending >> pendingBits) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  if (pendingBits > 0) text += alphabet.charAt((pending << (5 - pendingBits)) & 31);
  return text;
}
