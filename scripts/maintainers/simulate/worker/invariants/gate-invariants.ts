import { dayMs } from "#app/core/time/time.ts";

/** Orders are read once a simulated day, so two days leave none out. */
const readMs = 2 * dayMs;

/** A plan behind the waitlist is only for those who were invited, or had it before. */
export const gateInvariants = (planId: string, now: number): Record<string, string> => ({
  "a plan behind the waitlist needs an invitation": `select o.id from orders o join accounts a on a.id = o.account_id
    where o.plan_id = '${planId}' and o.kind <> 'renewal' and o.paid_at > ${now - readMs} and a.state <> 'erased'
    and not exists (select 1 from entries e where e.email_canonical = a.email_canonical and e.invited_at is not null)
    and not exists (select 1 from orders p where p.account_id = o.account_id and p.plan_id = o.plan_id and p.paid_at < o.paid_at)`,
});
