import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { DemoUser } from "./demo-user.ts";
import type { DemoSite } from "./demo-site.ts";

/** One thing that a person does, or that happens to them, this long before the present. */
export type DemoEvent = { ago: Ago; play: (who: DemoUser, meets: FindUser) => Promise<unknown> };
/** Calendar months first, then the rest. */
export type Ago = { months?: number; days?: number; hours?: number; minutes?: number };
export type FindUser = (address: string) => DemoUser;

/** A person to sign in as, and what to look at. `now` is the address if it has changed, null if it was deleted. */
export type Person = {
  address: string;
  now?: string | null;
  shows: string;
  events: DemoEvent[];
  /** Whether a product has what the story needs. Absent if every product does. */
  needs?: (config: ProductConfig) => boolean;
};
export type Chapter = { title: string; people: Person[] };

/** The time, on the calendar that Stripe bills by. Whole years apart, the day of the month is the same. */
export function momentOf({ months = 0, days = 0, hours = 0, minutes = 0 }: Ago, presentAt: number): number {
  const then = new Date(presentAt - days * dayMs - hours * hourMs - minutes * minuteMs);
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() - months + 1, 0)).getUTCDate();
  const day = Math.min(then.getUTCDate(), lastDay);
  return new Date(then).setUTCFullYear(then.getUTCFullYear(), then.getUTCMonth() - months, day);
}

/** Plays all events of all people in chronological order, and ends at the present. */
export async function replayDemo(site: DemoSite, chapters: Chapter[]): Promise<void> {
  const people = chapters.flatMap((chapter) => chapter.people);
  const users = people.map((person, index) => ({ ...person, index, user: new DemoUser(site, person.address, index) }));
  const meets: FindUser = (address) => {
    const found = users.find((person) => person.address === address);
    if (!found) throw new Error(`No one has the address ${address}`);
    return found.user;
  };
  const events = users
    .flatMap(({ events: own, user, index }) =>
      own.map(({ ago, play }) => ({ at: momentOf(atTheirHour(ago, index), site.presentAt), play, user })),
    )
    .sort((left, right) => left.at - right.at);
  const [first] = events;
  if (!first) return;
  await site.begin(site.presentAt - first.at + dayMs);
  let sweptAt = first.at;
  for (const { at, play, user } of events) {
    sweptAt = await passTo(site, at, sweptAt);
    await play(user, meets).catch((error: unknown) => {
      throw new Error(`${user.address}, ${new Date(at).toISOString().slice(0, 10)}: ${play.toString()}`, {
        cause: error,
      });
    });
    await site.settled();
  }
  await passTo(site, site.presentAt, sweptAt);
  await site.passToPresent();
}

/** Gives each person an hour of their own: events some days ago differ a little from one to another, unless they set the minute. */
function atTheirHour(ago: Ago, index: number): Ago {
  const isOfToday = ago.months === undefined && (ago.days ?? 0) < 1;
  return isOfToday || ago.minutes !== undefined ? ago : { ...ago, minutes: (index * 97) % 660 };
}

/** Before this there was a single customer, so one check a year finds all renewals. */
const crowdedMs = 450 * dayMs;
/** Longer than Stripe lists its events. */
const eventsRetentionMs = 32 * dayMs;
/** An invoice is charged an hour after it is created. */
const afterRenewalMs = hourMs + 5 * minuteMs;

/** Lets time pass. Each renewal is processed when it happens, and the cron runs now and then. Returns the time of its last run. */
async function passTo(site: DemoSite, until: number, sweptBefore: number): Promise<number> {
  for (let sweptAt = sweptBefore; ;) {
    const beforePresentMs = site.presentAt - sweptAt;
    const isCrowded = beforePresentMs < crowdedMs;
    const sweepAt = sweptAt + (isCrowded ? (beforePresentMs > eventsRetentionMs ? 60 : 5) : 365) * dayMs;
    const changeAt = isCrowded ? await site.nextChangeAt() : null;
    const next = Math.min(sweepAt, changeAt === null ? Infinity : changeAt + afterRenewalMs);
    if (next > until) {
      await site.passTo(until);
      return sweptAt;
    }
    await site.passTo(next);
    if (site.presentAt - next > eventsRetentionMs) await site.catchUp();
    else await site.listen();
    if (next !== sweepAt) continue;
    await site.sweep();
    sweptAt = sweepAt;
  }
}
