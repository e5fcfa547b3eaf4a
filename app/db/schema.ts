/**
 * All tables and triggers, for the migrations, the generated reference and tests; parents before the tables that refer to them. Modules
 * import the `schema.ts` of the module that owns a table.
 *
 * In each schema: columns in fixed order: id, owner, state, facts, times (milliseconds since 1970 UTC). CHECK for every state, UNIQUE for
 * every "only once", an index named by its question. `npm run db:generate` writes the migration.
 */
import { deviceTriggers } from "#app/modules/devices/triggers.schema.ts";
import { documentTriggers } from "#app/modules/documents/triggers.schema.ts";
import { referralTriggers } from "#app/modules/referrals/triggers.schema.ts";
import { waitlistTriggers } from "#app/modules/waitlist/triggers.schema.ts";

export * from "./job-cursors.schema.ts";
export * from "#app/modules/email/schema.ts";
export * from "#app/modules/codes/schema.ts";
export * from "#app/modules/accounts/schema.ts";
export * from "#app/modules/accounts/addresses.schema.ts";
export * from "#app/modules/catalogue/schema.ts";
export * from "#app/modules/subscriptions/schema.ts";
export * from "#app/modules/orders/schema.ts";
export * from "#app/modules/documents/schema.ts";
export * from "#app/modules/withdrawals/schema.ts";
export * from "#app/modules/cancellations/schema.ts";
export * from "#app/modules/stripe-events/schema.ts";
export * from "#app/modules/ledger/schema.ts";
export * from "#app/modules/devices/schema.ts";
export * from "#app/modules/waitlist/schema.ts";
export * from "#app/modules/referrals/schema.ts";
export * from "#app/modules/passkeys/schema.ts";
export * from "#app/modules/operators/schema.ts";

/** Statements that the database runs with any statement that changes a row. */
export const triggers: readonly string[] = [
  ...documentTriggers,
  ...deviceTriggers,
  ...waitlistTriggers,
  ...referralTriggers,
];
