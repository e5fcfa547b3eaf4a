/** Ids have a prefix per kind: `ord_` and 26 characters (128 bits, Crockford's alphabet without i, l, o, u). */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type Random = (byteCount: number) => Uint8Array;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export function newId<Prefix extends string>(prefix: Prefix, random: Random): Id<Prefix> {
  return `${prefix}_${toBase32(random(16))}`;
}

/** 256 random bits for cookies and links, URL-safe. Only its hash is stored. */
export function newToken(random: Random): string {
  return toBase32(random(32));
}

/** The CSP nonce shared by a response's scripts and its policy: 128 bits. */
export function newNonce(random: Random): string {
  return toBase32(random(16));
}

/** Five bits per character, the last one padded with zeros. */
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
