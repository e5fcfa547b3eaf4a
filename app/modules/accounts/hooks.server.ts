import type { Hooks } from "#app/app.ts";
import { stopOptionalEmails } from "./optional-emails.queries.server.ts";

export const accountHooks: Hooks = {
  name: "accounts",
  emailReturned: (db, { address, guard }) => [stopOptionalEmails(db, address, guard)],
};
