import { startsAt } from "../starts-at.ts";
import { seededRandom, type SeededRandom } from "../seeded-random.ts";

const RealDate = Date;
const realSetTimeout = globalThis.setTimeout;

let now = startsAt;
let random: SeededRandom = seededRandom("platform");

/** The one clock of the simulation, in milliseconds. */
export const simulatedClock = {
  now: () => now,
  /** Never backwards, except when another story begins. */
  set: (at: number) => {
    now = at;
  },
};

/** Real time, for the rate and the profile. */
export const realNow = () => RealDate.now();

/** The same text gives the same ids, codes and keys from here on. */
export function reseed(text: string): void {
  random = seededRandom(text);
}

/**
 * Replaces the platform's clock and its sources of randomness, for the site and the Stripe emulator in this isolate: no module is changed. Timers
 * never fire: they are deadlines, and no call takes long here.
 */
export function installSeededPlatform(): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      // The real constructor reads any number of values.
      super(...((given.length === 0 ? [now] : given) as [number]));
    }
    static override now(): number {
      return now;
    }
  } as DateConstructor;
  Math.random = () => random.next();
  const fill = <Buffer extends ArrayBufferView | null>(buffer: Buffer): Buffer => {
    if (buffer === null) return buffer;
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = random.below(256);
    return buffer;
  };
  Object.defineProperty(crypto, "getRandomValues", { value: fill });
  Object.defineProperty(crypto, "randomUUID", {
    value: () => {
      const hex = [...fill(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  });
  for (const name of subtleCalls) {
    const original = crypto.subtle[name].bind(crypto.subtle) as (...given: unknown[]) => Promise<unknown>;
    Object.defineProperty(crypto.subtle, name, {
      value: (...given: unknown[]) => {
        cryptoUnderWay += 1;
        return original(...given).finally(() => {
          cryptoUnderWay -= 1;
        });
      },
    });
  }
  Object.defineProperty(globalThis, "setTimeout", { value: () => 0, configurable: true, writable: true });
}

let cryptoUnderWay = 0;
const subtleCalls = [
  "decrypt",
  "deriveBits",
  "deriveKey",
  "digest",
  "encrypt",
  "exportKey",
  "importKey",
  "sign",
  "verify",
] as const;

/** Enough for what an answer starts to reach its own next call. */
const ticks = 150;

/** Waits until nothing can continue without another call. Only encryption and hashes leave the queue of microtasks. */
export async function untilQuiet(): Promise<void> {
  for (;;) {
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    if (cryptoUnderWay === 0) return;
    await new Promise<void>((resolve) => realSetTimeout(resolve, 0));
  }
}
