import { gatherData } from "#app/modules/closing/reads/gather-data.server.ts";
import { must } from "../must.ts";
import type { Person, SignedIn } from "./person.ts";
import { Violated } from "../violated.ts";

/** Checks that an export contains no address and no name that only others typed. */
export async function downloadsData({ app, viewer }: SignedIn, people: readonly Person[]): Promise<void> {
  const text = JSON.stringify(must(await gatherData(app, viewer))).toLowerCase();
  const owners = people.filter(({ accountIds }) => accountIds.has(viewer.account.id));
  const own = new Set(owners.flatMap(({ typed }) => [...typed.keys()]));
  const others = people.flatMap(({ typed }) => [...typed.keys()].filter((word) => !own.has(word)));
  const found = others.find((word) => text.includes(`"${word.toLowerCase()}"`));
  if (found !== undefined) throw new Violated("an export contains its owner's data alone", { found });
  if (!text.includes(viewer.account.email.toLowerCase()))
    throw new Violated("an export contains its owner's address", { account: viewer.account.id });
}
