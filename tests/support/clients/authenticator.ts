/**
 * An authenticator in software, for what a browser never does: it signs for any origin, any ceremony, with any
 * counter and any flags. ES256 keys, no attestation, CBOR by hand as far as it is needed (RFC 8949; the layouts are
 * WebAuthn's, section 6).
 */
type Bytes = Uint8Array<ArrayBuffer>;

/** What differs from a well-behaved answer. */
export type Odds = {
  origin?: string;
  rpId?: string;
  type?: "webauthn.create" | "webauthn.get";
  crossOrigin?: boolean;
  counter?: number;
  isUserVerified?: boolean;
  isUserPresent?: boolean;
  userHandle?: string | null;
  aaguid?: string;
  transports?: string[];
  /** Claims to be backed up, though it wasn't created as a multi-device credential. */
  isBackedUp?: boolean;
  /** In place of ES256. */
  algorithm?: number;
};

export class Authenticator {
  readonly credentialId: string;
  counter = 0;
  private readonly keys: CryptoKeyPair;
  private readonly origin: string;

  private constructor(origin: string, keys: CryptoKeyPair, credentialId: Bytes) {
    this.origin = origin;
    this.keys = keys;
    this.credentialId = encode(credentialId);
  }

  static async make(origin: string): Promise<Authenticator> {
    // One type for every algorithm; this one always makes a key pair.
    const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
    ])) as CryptoKeyPair;
    return new Authenticator(origin, keys, crypto.getRandomValues(new Uint8Array(32)));
  }

  /** What a browser's script posts after `navigator.credentials.create`. */
  async register(challenge: string, odds: Odds = {}): Promise<string> {
    const id = decode(this.credentialId);
    const aaguid = bytesOfHex((odds.aaguid ?? "00000000-0000-0000-0000-000000000000").replaceAll("-", ""));
    const attested = join(aaguid, uint16(id.length), id, await this.coseKey(odds.algorithm ?? -7));
    const authData = join(await this.authenticatorData(odds, 0x40), attested);
    const clientDataJSON = this.clientData("webauthn.create", challenge, odds);
    const attestationObject = join(
      Uint8Array.of(0xa3),
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      Uint8Array.of(0xa0),
      cborText("authData"),
      cborBytes(authData),
    );
    return this.post({
      clientDataJSON,
      attestationObject: encode(attestationObject),
      transports: odds.transports ?? ["internal", "hybrid"],
    });
  }

  /** What a browser's script posts after `navigator.credentials.get`; null omits the user handle. */
  async sign(challenge: string, userHandle: string | null, odds: Odds = {}): Promise<string> {
    const clientDataJSON = this.clientData("webauthn.get", challenge, odds);
    const authData = await this.authenticatorData(odds, 0);
    const signature = await signOver(this.keys.privateKey, authData, clientDataJSON);
    const handle = odds.userHandle === undefined ? userHandle : odds.userHandle;
    return this.post({
      clientDataJSON,
      authenticatorData: encode(authData),
      signature: encode(signature),
      ...(handle !== null && { userHandle: encode(utf8(handle)) }),
    });
  }

  private post(response: object): string {
    const { credentialId: id } = this;
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }

  private clientData(type: string, challenge: string, odds: Odds): string {
    const { origin = this.origin, crossOrigin = false } = odds;
    return encode(utf8(JSON.stringify({ type: odds.type ?? type, challenge, origin, crossOrigin })));
  }

  private async authenticatorData(odds: Odds, flags: number): Promise<Bytes> {
    const rpIdHash = await crypto.subtle.digest("SHA-256", utf8(odds.rpId ?? new URL(this.origin).hostname));
    const present = odds.isUserPresent === false ? 0 : 0x01;
    const backedUp = odds.isBackedUp ? 0x10 : 0;
    const verified = odds.isUserVerified === false ? 0 : 0x04;
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, odds.counter ?? this.counter);
    return join(new Uint8Array(rpIdHash), Uint8Array.of(flags | present | verified | backedUp), counter);
  }

  /** {1: 2, 3: the algorithm, -1: 1, -2: x, -3: y} */
  private async coseKey(algorithm: number): Promise<Bytes> {
    // 0x04, then both coordinates of 32 bytes.
    const point = new Uint8Array((await crypto.subtle.exportKey("raw", this.keys.publicKey)) as ArrayBuffer);
    const [x, y] = [point.slice(1, 33), point.slice(33)];
    const start = Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x20 | (-1 - algorithm), 0x20, 0x01);
    return join(start, Uint8Array.of(0x21), cborBytes(x), Uint8Array.of(0x22), cborBytes(y));
  }
}

/** What authenticators sign: their own data, and the hash of the browser's. */
async function signOver(key: CryptoKey, authData: Bytes, clientDataJSON: string): Promise<Bytes> {
  const clientDataHash = new Uint8Array(await crypto.subtle.digest("SHA-256", decode(clientDataJSON)));
  const signed = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, join(authData, clientDataHash));
  return derOf(new Uint8Array(signed));
}

/** The same answer with one bit of its signature flipped. */
export function flipSignature(answer: string): string {
  const sent = JSON.parse(answer);
  const signature = decode(sent.response.signature);
  const last = signature.length - 1;
  signature[last] = (signature[last] ?? 0) ^ 1;
  sent.response.signature = encode(signature);
  return JSON.stringify(sent);
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function decode(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function utf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}

function bytesOfHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function join(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function uint16(value: number): Bytes {
  return Uint8Array.of(value >> 8, value & 255);
}

/** Up to 23 letters: the length is in the head's own byte. */
function cborText(text: string): Bytes {
  return join(Uint8Array.of(0x60 | text.length), utf8(text));
}

function cborBytes(bytes: Uint8Array): Bytes {
  const head = bytes.length < 256 ? Uint8Array.of(0x58, bytes.length) : join(Uint8Array.of(0x59), uint16(bytes.length));
  return join(head, bytes);
}

/** r and s as two ASN.1 integers: no needless zeros in front, but one if the first bit would say "negative". */
function derOf(raw: Uint8Array): Bytes {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const plain = bytes.slice(start === -1 ? bytes.length - 1 : start);
    const padded = (plain[0] ?? 0) >= 0x80 ? join(Uint8Array.of(0), plain) : plain;
    return join(Uint8Array.of(0x02, padded.length), padded);
  };
  const pair = join(integer(raw.slice(0, 32)), integer(raw.slice(32)));
  return join(Uint8Array.of(0x30, pair.length), pair);
}
