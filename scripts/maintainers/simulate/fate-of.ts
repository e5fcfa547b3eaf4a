import type { SeededRandom } from "./seeded-random.ts";
import type { Death, FailingCall, Circumstances } from "./story.ts";

export const deathOf = (random: SeededRandom): Death => ({
  call: 1 + Math.floor(-Math.log(1 - random.next()) * 9),
  when: random.chance(0.4) ? "before" : "after",
});

/** Dies at one of the first eighty calls: the cron job makes forty without any work, and its last jobs erase accounts and give rewards. */
export const deathOfCron = (random: SeededRandom): Death => ({ ...deathOf(random), call: 1 + random.below(80) });

const failingCallOf = (random: SeededRandom): FailingCall => ({
  call: 1 + Math.floor(-Math.log(1 - random.next()) * 6),
  when: random.chance(0.5) ? "before" : "after",
});

export function fateOf(random: SeededRandom): Circumstances {
  const at = random.next();
  if (at < 0.04) return { dies: deathOf(random) };
  if (at < 0.055) return { heldBackMinutes: 1 + random.below(25) };
  if (at < 0.095) return { databaseFails: failingCallOf(random) };
  return {};
}
