import type { App } from "#app/app.ts";
import type { Viewer } from "../rules.ts";
import { changeAccountProfile } from "../queries.server.ts";

/** Stores the name, locale and time zone a user chose; an empty name becomes none. */
export async function changeProfile(
  app: Pick<App, "db">,
  viewer: Viewer,
  profile: { name: string; locale?: string; timeZone: string },
): Promise<void> {
  const session = { id: viewer.session.id, accountId: viewer.account.id };
  const { name, locale, timeZone } = profile;
  await app.db.batch([changeAccountProfile(app.db, session, { name: name === "" ? null : name, locale, timeZone })]);
}
