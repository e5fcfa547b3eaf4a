import { writeSessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { deviceToken } from "#app/features/devices/device-token.rules.ts";
import { hashToken } from "#app/core/hash.ts";
import { hourMs } from "#app/core/time/time.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { idOf } from "#tests/support/ids.ts";
import { fill, nthId } from "../crowd.ts";
import type { startDirectSite } from "../direct-worker.ts";

export const PEPPER = "a-pepper-of-the-bench-with-32-letters";
const PEOPLE = 1_000;
/** The paying customer whose pages are measured. */
const WHO = 300;
const ORDERS = 40;
export const customerId = nthId("acc", WHO);
export const orderId = nthId("ord", WHO);

type D1 = Awaited<ReturnType<typeof startDirectSite>>["d1"];

/** A crowd, and one customer in it with several years of orders, whose cookie and device token are known. */
export async function addCustomer(d1: D1) {
  const now = Date.now();
  await fill(d1, 1, PEOPLE, now);
  await d1
    .prepare("update sessions set token_hash = ? where account_id = ?")
    .bind(await hashToken("bench"), customerId)
    .run();
  const pass = await writeSessionCookie(PEPPER, { sessionToken: "bench", accountId: idOf("acc", customerId) });
  await d1
    .prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, number_year, number_in_year, created_at,
         paid_at, updated_at)
       with recursive nth(n) as (select 1 union all select n + 1 from nth where n < ?1)
       select 'ord_own' || n, ?2, 'paid', 'renewal', ?3, 'month', 'EUR', 600, 2021, n, ?4 - n * 2592000000, ?4 - n * 2592000000, 0 from nth`,
    )
    .bind(ORDERS, customerId, large.id, now - hourMs)
    .run();
  const token = await deviceToken(PEPPER, idOf("dev", nthId("dev", WHO)));
  return { person: { Cookie: `__Host-session=${pass}` }, device: { Authorization: `Bearer ${token}` } };
}
