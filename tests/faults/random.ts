/** How often each is done: `FAULTS_ROUNDS=1 npm run faults` is quick. */
export const rounds = Number(process.env.FAULTS_ROUNDS ?? 5);

/** The random seed. It is printed, so that a failure can be repeated: `FAULTS_SEED=… npm run faults`. */
export const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
console.warn(`FAULTS_SEED=${seed}`);

/** Numbers from 0 up to below 1 that are the same for the same seed. */
export function randomNumbers(from = seed): () => number {
  let state = from | 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
