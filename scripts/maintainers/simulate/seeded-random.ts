export type SeededRandom = {
  /** From 0 up to below 1. */
  next: () => number;
  /** A whole number from 0 up to below `limit`. */
  below: (limit: number) => number;
  pick: <Value>(values: readonly Value[]) => Value;
  chance: (share: number) => boolean;
};

/** mulberry32, from a text: the same text gives the same numbers on every machine. */
export function seededRandom(text: string): SeededRandom {
  let state = hashOf(text);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error("There is nothing to pick from");
      return value;
    },
    chance: (share) => next() < share,
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}
