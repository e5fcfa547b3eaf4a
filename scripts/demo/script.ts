import { product } from "#app/product/config.ts";
import type { Actor } from "./actor.ts";
import { addressOf } from "./address.ts";
import type { Ago, Meets, Person, Scene } from "./play.ts";

const paid = product.plans.filter(({ prices }) => prices !== null).map(({ id }) => id);
/** The smallest and the largest plan that cost something, whatever a team calls them. */
export const [small = "", large = paid.at(-1) ?? ""] = [paid[0], paid.at(-1)];

export const person = (name: string, shows: string, scenes: Scene[]): Person => ({
  address: addressOf(name),
  shows,
  scenes,
});

export const ago = (ago: Ago, play: (who: Actor, meets: Meets) => Promise<unknown>): Scene => ({ ago, play });

type Profile = { name: string; locale?: string; timeZone: string };

/** Whoever is here signed up once; what else they do comes after that. */
export const signsUp = (when: Ago, profile: Profile, friend?: string): Scene =>
  ago(when, (who, meets) => who.signsUp(profile, friend === undefined ? undefined : meets(addressOf(friend))));

export const berlin = "Europe/Berlin";
export const london = "Europe/London";
