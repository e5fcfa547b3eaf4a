import { preferencesRaces } from "#app/features/preferences/tests/races.ts";
import { unconfirmedEntry, waitlistPromise, waitlistVisitor } from "#app/features/waitlist/tests/faults.ts";
import { waitlistRaces } from "#app/features/waitlist/tests/races.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Unfinished, Way } from "./way.ts";

/** What requests to features do at the same moment, a line each. */
export const featureRaces = [...preferencesRaces, ...waitlistRaces];

/** What their visitors do while the site is killed. */
export const featureWays: readonly Way[] = [waitlistVisitor];

/** Where the rows are that the site has confirmed to them, as SQL after `from`. */
export const featurePromises: readonly { what: string; from: (who: string) => string }[] = [waitlistPromise];

/** What their visitors are in the middle of while a service fails. */
export const featureUnfinished: readonly ((site: Site, mark: string) => Promise<Unfinished>)[] = [unconfirmedEntry];
