import { expectTypeOf, test } from "vitest";
import type { findOrder } from "#app/modules/orders/queries.server.ts";
import type { removeDevice } from "#app/modules/devices/commands/remove-device.server.ts";
import type { closeLine } from "#app/modules/ledger/queries.server.ts";
import type { findEmail } from "#app/modules/email/queries.server.ts";
import type { findUse } from "#app/modules/codes/quota-uses.queries.server.ts";
import { type AccountId, type EmailId, type LedgerLineId, newId, type OrderId, readId, type SessionId } from "./id.ts";

/** Checked by the compiler: `npm run check` fails when one of these lines compiles that mustn't. */
test("ids of one kind can't be passed as another", () => {
  const order: OrderId = "ord_1";
  const account: AccountId = "acc_1";
  const find: (...given: Parameters<typeof findOrder>) => void = () => undefined;
  const db = {} as Parameters<typeof findOrder>[0];
  find(db, order, account);
  // @ts-expect-error: swapped.
  find(db, account, order);
  // @ts-expect-error: text from outside, which `readId` reads.
  find(db, String(order), account);
  expectTypeOf<Parameters<typeof removeDevice>[2]>().not.toEqualTypeOf<SessionId>();
  expectTypeOf<LedgerLineId>().not.toExtend<Parameters<typeof findEmail>[1]>();
  expectTypeOf<EmailId>().not.toExtend<Parameters<typeof closeLine>[1]>();
  expectTypeOf<AccountId>().not.toExtend<Parameters<typeof findUse>[1]>();
  expectTypeOf<SessionId>().not.toExtend<OrderId>();
  expectTypeOf(newId("ord", (count) => new Uint8Array(count))).toEqualTypeOf<OrderId>();
  expectTypeOf(readId("acc", "")).toEqualTypeOf<AccountId | null>();
});
