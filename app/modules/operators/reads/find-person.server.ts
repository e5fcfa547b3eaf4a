import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { formerAddressHash } from "#app/modules/accounts/former-addresses.rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import { readSearchTerm, spellings, type SearchTerm } from "../find.rules.ts";
import { findAccountBy, listAccount, listByFormerAddress, listOwners } from "../find.queries.server.ts";
import { listByName } from "../everyone.queries.server.ts";
import { matchesMax } from "../rules.ts";
import { showPerson } from "./show-person.server.ts";

type Deps = Parameters<typeof showPerson>[0] & Pick<App, "pepper" | "payments">;
type Match = Awaited<ReturnType<typeof listAccount>>[number];
type Person = NonNullable<Awaited<ReturnType<typeof showPerson>>>;
type FindRefusal = { reason: "no-such-person" } | { reason: "stripe-unreachable" };

/** Finds an account by any id or name of theirs or Stripe's; several if more than one matches. */
export async function findPerson(
  app: Deps,
  typed: string,
): Promise<Result<Person | { matches: Match[] }, FindRefusal>> {
  const ofFeatures = app.hooks.flatMap(({ found }) => found?.prefix ?? []);
  const wanted = readSearchTerm(typed, ofFeatures);
  const owners = await ownersOf(app, wanted);
  if (!owners.ok) return owners;
  const [only, ...others] = owners.value;
  if (others.length > 0) return done({ matches: owners.value });
  const found = await showPerson(app, {
    id: only?.id ?? null,
    address: wanted.kind === "address" ? wanted.canonical : null,
  });
  return found ? done(found) : refused({ reason: "no-such-person" });
}

async function ownersOf(app: Deps, wanted: SearchTerm): Promise<Result<Match[], { reason: "stripe-unreachable" }>> {
  const { db, pepper } = app;
  const ofFeatures = app.hooks.flatMap(({ found }) => found ?? []);
  switch (wanted.kind) {
    case "address": {
      const { canonical } = wanted;
      const hash = await formerAddressHash(pepper, canonical);
      const { now, before } = await batchNamed(db, {
        now: listAccount(db, canonical),
        before: listByFormerAddress(db, { canonical, hash }),
      });
      return done(now.length > 0 ? now : before);
    }
    case "name": {
      const name = spellings(wanted.name);
      const { people, owners } = await batchNamed(db, {
        people: listByName(db, name, matchesMax),
        owners: ofFeatures.map(({ named }) => listOwners(db, named(name, matchesMax))),
      });
      return done(
        [...new Map([...people, ...owners.flat()].map((row) => [row.id, row])).values()].slice(0, matchesMax),
      );
    }
    case "feature": {
      const { prefix, id } = wanted;
      const found = ofFeatures.find((each) => each.prefix === prefix);
      return done(found ? await listOwners(db, found.ownerOf(id)) : []);
    }
    case "payment": {
      const payer = app.payments && (await app.payments.findPayer(wanted.id));
      if (payer && !payer.ok && !isMissing(payer.refusal)) return refused({ reason: "stripe-unreachable" });
      const customer = payer?.ok ? payer.value : null;
      return done(customer === null ? [] : await findAccountBy(db, { kind: "customer", id: customer }));
    }
    default:
      return done(await findAccountBy(db, wanted));
  }
}
