import type { Site } from "#tests/support/site/site.ts";

/** Damage that makes our code throw: data that no rule allows, written to the database directly. */
export type Damage = { does: string; mend: string };

export const without = (table: string): Damage => ({
  does: `alter table ${table} rename to ${table}_away`,
  mend: `alter table ${table}_away rename to ${table}`,
});

/** A database that fails at one statement and at no other: `update of name on accounts`. */
export const failingAt = (statement: string): Damage => ({
  does: `create trigger broken before ${statement} begin select raise(abort, 'broken'); end`,
  mend: "drop trigger broken",
});

/** No calendar knows this time zone, so that nothing with a date in it can be rendered. */
export const unknownTimeZone: Damage = {
  does: "update accounts set time_zone = 'Mars/Olympus'",
  mend: "update accounts set time_zone = 'UTC'",
};

/** No damage to any code: what happens when all devices are signed out from elsewhere. */
export const allSignedOut: Damage = {
  does: "update sessions set state = 'revoked' where state = 'active'",
  mend: "update sessions set state = 'active' where state = 'revoked'",
};

/** Does something while the site is damaged. */
export async function whileBroken<Result>(site: Site, damage: Damage, run: () => Promise<Result>): Promise<Result> {
  const database = await site.database();
  await database.exec(damage.does);
  try {
    return await run();
  } finally {
    await database.exec(damage.mend);
  }
}
