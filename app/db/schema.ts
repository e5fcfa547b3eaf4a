/**
 * All tables and triggers, for the migrations, the generated reference and tests; parents before the tables that refer to them. Modules
 * import the `schema.ts` of the module that owns a table.
 *
 * In each schema: columns in fixed order: id, owner, state, facts, times (milliseconds since 1970 UTC). CHECK for every state, UNIQUE for
 * every "only once", an index named by its question. `npm run db:generate` writes the migration.
 */
import { deviceTriggers } from "#app/features/devices/triggers.schema.ts";
import { documentTriggers } from "#app/modules/billing/documents/triggers.schema.ts";
import { waitlistTriggers } from "#app/features/waitlist/triggers.schema.ts";

export * from "./job-cursors.schema.ts";
export * from "#app/modules/email/schema.ts";
export * from "#app/modules/accounts/codes/schema.ts";
export * from "#app/modules/accounts/schema.ts";
export * from "#app/modules/accounts/addresses.schema.ts";
export * from "#app/modules/catalogue/schema.ts";
export * from "#app/modules/billing/subscriptions/schema.ts";
export * from "#app/modules/billing/orders/schema.ts";
export * from "#app/modules/billing/documents/schema.ts";
export * from "#app/modules/billing/withdrawals/schema.ts";
export * from "#app/modules/billing/cancellations/schema.ts";
export * from "#app/modules/billing/sync/inbox.schema.ts";
export * from "#app/modules/billing/sync/fraud-warnings.schema.ts";
export * from "#app/modules/billing/credit/schema.ts";
export * from "#app/modules/billing/usage/schema.ts";
export * from "#app/features/waitlist/schema.ts";
export * from "#app/modules/referrals/schema.ts";
export * from "#app/modules/accounts/passkeys/schema.ts";
export * from "#app/modules/operators/schema.ts";
export * from "#app/features/devices/schema.ts";
export * from "#app/features/preferences/schema.ts";

/** Statements that the database runs with any statement that changes a row. */
export const triggers: readonly string[] = [...documentTriggers, ...deviceTriggers, ...waitlistTriggers];
