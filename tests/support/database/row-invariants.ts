import { minimumCharge } from "#app/core/money/currencies.ts";
import { activityNames } from "#app/modules/accounts/activities.rules.ts";
import { features } from "#app/features.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { featureSamples } from "#tests/support/features.ts";

const config: ProductConfig = product;
const quoted = (values: readonly string[]) => values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
const plans = quoted(config.plans.map(({ id }) => id));
const seats = config.plans.map(({ id, limits }) => `when '${id}' then ${limits.devices}`).join(" ");
const freeSeats = config.plans.find(({ prices }) => prices === null)?.limits.devices ?? 0;
const featureActivityNames = features.flatMap(({ messages }) => Object.keys(messages.en.activities?.did ?? {}));
const ofFeatures = featureSamples
  .flatMap(({ malformedJson = [] }) => malformedJson)
  .map(
    (query) => `
    union all ${query}`,
  )
  .join("");
const isPaid = "number_year is not null";

/**
 * What is true of the rows at every moment, even after an interruption: each query selects the rows that violate it.
 */
export const atAnyMoment: Record<string, string> = {
  "order numbers have neither gaps nor doubles": `select number_year, count(*), max(number_in_year) from orders
    where ${isPaid} group by 1 having count(*) <> max(number_in_year) or min(number_in_year) <> 1`,
  "a paid order has lines and a moment": `select id from orders where ${isPaid} and (
    not exists (select 1 from order_lines where order_id = orders.id)
    or not exists (select 1 from history_events where order_id = orders.id and what = 'paid'))`,
  "an unpaid order has no lines": `select id from orders where number_year is null and id in (select order_id from order_lines)`,
  "a paid order has one invoice, with its number and its money, and no other order has a document": `select o.id from orders o
    left join documents d on d.order_id = o.id and d.kind = 'invoice' where (o.number_year is null) <> (d.order_id is null)
      or d.number_year <> o.number_year or d.number_in_year <> o.number_in_year or d.money_minor <> o.amount_minor
      or d.tax_minor <> o.tax_minor or d.issued_at <> o.paid_at`,
  "the numbers of credit notes have neither gaps nor doubles": `select number_year, count(*), max(number_in_year) from documents
    where kind = 'credit-note' group by 1 having count(*) <> max(number_in_year) or min(number_in_year) <> 1`,
  // Time zones are at most 14 hours ahead of UTC and 12 behind.
  "a document's number is of the year of its date": `select order_id, cause from documents where number_year not between
    cast(strftime('%Y', issued_at / 1000 - 43200, 'unixepoch') as integer) and cast(strftime('%Y', issued_at / 1000 + 50400, 'unixepoch') as integer)`,
  "a document's lines add up to its total, and its total to its money": `select order_id, cause from documents d where
    total_minor <> (select coalesce(sum(value ->> 'totalMinor'), 0) from json_each(d.lines))
      or net_minor <> (select coalesce(sum(value ->> 'netMinor'), 0) from json_each(d.lines))
      or tax_minor <> (select coalesce(sum(value ->> 'amountMinor'), 0) from json_each(d.taxes))
      or money_minor <> total_minor + (select coalesce(sum(value ->> 'amountMinor'), 0) from json_each(d.steps))`,
  "credit notes are what went back, and no more than the invoice": `select o.id from orders o
    join documents i on i.order_id = o.id and i.kind = 'invoice'
    left join (select order_id, sum(total_minor) as total, sum(tax_minor) as tax, sum(money_minor) as money from documents
      where kind = 'credit-note' group by 1) c on c.order_id = o.id
    where c.total > i.total_minor or c.tax > i.tax_minor or coalesce(c.money, 0) <> o.refunded_minor + (select coalesce(sum(amount_minor), 0)
      from history_events h where h.order_id = o.id and h.what = 'dispute-lost' and not exists (select 1 from history_events w
        where w.order_id = o.id and w.what = 'dispute-won' and w.occurrence = h.occurrence and w.happened_at >= h.happened_at))`,
  // What is too little to be charged alone is carried from one charge to the next.
  "the sum of a first order is that of its parts": `select o.id from orders o where o.kind = 'new-plan' and o.${isPaid}
    and abs(o.amount_minor + o.discount_minor + o.credit_minor
      - (select sum(amount_minor) from order_lines where order_id = o.id)) >= ${minimumCharge(config.currency)}`,
  "an order that can be paid has a place to pay it": `select id from orders
    where (state = 'pending' and kind = 'new-plan' and checkout_url is null) or (state = 'draft' and checkout_id is not null)`,
  "credit is never below nothing": `select account_id from (select account_id,
    sum(amount_minor) over (partition by account_id order by rowid) as credit from ledger_lines) where credit < 0`,
  "a reward that is approved has its line, and no other has one": `select r.id from referrals r left join ledger_lines l
    on l.referral_id = r.id and l.kind = 'earned' where (r.state = 'approved') and l.id is null or r.state in
    ('signed-up', 'qualified', 'waiting', 'under-review') and l.id is not null`,
  "no referrer is rewarded for a friend whose discount is under review, or was refused since the friend isn't new": `select r.id from referrals r
    join friend_discounts d on d.referral_id = r.id where r.state = 'approved' and (d.state = 'under-review'
      or d.state = 'refused' and d.why in ('known-mailbox', 'known-method', 'operator'))`,
  "a discount goes back of what was paid, and no more": `select d.referral_id from friend_discounts d join orders o on o.id = d.order_id
    where d.amount_minor > o.amount_minor or o.friend_discount_minor > o.refunded_minor or o.refunded_minor > o.amount_minor
      or o.account_id <> d.friend_id or d.state = 'paid' and d.amount_minor > 0 and d.refund_id is null`,
  "the line's counts are those of its entries": `select gate, level, bucket, waiting from queue_counts where waiting > 0
    except select gate, level, sort_number >> level, count(*) from entries, (select 5 as level union all select 10
      union all select 15 union all select 20) where state = 'waiting' group by 1, 2, 3`,
  "every waiting entry is counted": `select id from entries where state = 'waiting' and (number is null or sort_number is null
    or not exists (select 1 from queue_counts c where c.gate = entries.gate and c.level = 5
      and c.bucket = entries.sort_number >> 5 and c.waiting > 0))`,
  "a place is its number less what friends gave": `select e.id from entries e where e.number is not null and e.sort_number <> e.number
    - (select coalesce(sum(gift), 0) from entries f where f.referrer_entry_id = e.id and f.gate = e.gate)`,
  "friends are counted": `select e.id from entries e where e.number is not null
    and e.friends <> (select count(*) from entries f where f.referrer_entry_id = e.id and f.gate = e.gate and f.gift > 0)`,
  "a code that was used opened one session, and says when": `select id from codes where (state = 'used') <> (consumer_id is not null)
      or (state = 'used') <> (used_at is not null) or consumer_id is not null and not exists (select 1 from sessions where id = consumer_id)
    union all select consumer_id from codes where consumer_id is not null group by consumer_id having count(*) > 1`,
  "of emailed codes of one kind two are valid": `select max(id) as id from codes where state = 'issued' and email_id is not null
    group by address, purpose, browser_hash having count(*) > 2`,
  // Ended sessions are removed after ninety days, by the cron job, which notes its last run.
  "an account began with a session and a line, unless it was erased": `select id from accounts a where state <> 'erased'
    and (not exists (select 1 from activities where account_id = a.id) or (not exists (select 1 from sessions where account_id = a.id)
      and created_at > coalesce((select cast(cursor as integer) from job_cursors where name = 'cron'), 0) - 80 * 86400000))`,
  "an erased account has no session": `select s.id from sessions s join accounts a on a.id = s.account_id where a.state = 'erased'`,
  "an account that leaves says until when": `select id from accounts where (state = 'closed') <> (restorable_until is not null)`,
  "an account is erased once it can't be restored": `select id from accounts where (state = 'active' and erasure_at is not null)
    or (state = 'erased' and erasure_at is null) or erasure_at < restorable_until`,
  "a queued email can be sent, and a sent one has no content": `select id from emails
    where (state = 'queued' and (sealed is null or next_try_at is null)) or (state = 'sent' and (sealed is not null or sent_at is null))`,
  "no account has more devices than seats, unless its plan ended or they wait to be removed": `select d.account_id from devices d left join subscriptions s
    on s.account_id = d.account_id and s.state not in ('ended', 'incomplete') where d.state = 'active'
    and d.account_id not in (select account_id from subscriptions where state = 'ended' union all select account_id from seat_reductions)
    group by d.account_id
    having count(*) > coalesce(case max(s.plan_id) ${seats} end, ${freeSeats})`,
  "a session that ended says when": `select id from sessions where (state = 'active') <> (ended_at is null)`,
  "a plan that is to begin later says which and when": `select id from subscriptions
    where (pending_plan_id is null) <> (pending_at is null) or (coming_minor is null) <> (coming_at is null)`,
};

/** The same of rows that are removed one day: only orders paid after `since` have to have theirs. */
export const atAnyMomentSince = (since: number): Record<string, string> => ({
  "a new plan that was paid has an email": `select id from orders where ${isPaid} and kind = 'new-plan' and paid_at > ${since}
    and not exists (select 1 from emails where id >= 'mail_' || orders.id and id < 'mail_' || orders.id || '~')`,
  "a renewal that failed has an email": `select id from orders where kind = 'renewal' and state = 'failed' and created_at > ${since}
    and not exists (select 1 from emails where order_id = orders.id and template in ('renewal-failed', 'payment-action'))`,
});

/** Values that no code writes: words and formats that the code doesn't know. CHECKs of the tables cover the rest. */
export const unknownValues: Record<string, string> = {
  "plans are those of the config": `select id from orders where plan_id not in (${plans}) or interval not in ('month', 'year')
    union all select id from subscriptions where plan_id not in (${plans})`,
  "money is in the config's currency": `select id from orders where currency <> '${config.currency}'
    union all select id from ledger_lines where currency <> '${config.currency}'`,
  "meters are those of the config, with values that are counts": `select meter from usage_values
    where meter not in (${quoted(config.meters.map(({ key }) => key))}) or value < 0`,
  "lines of the log are words of ours": `select what from activities where what not in (${quoted([...activityNames, ...featureActivityNames])})`,
  "addresses hold one sign, no blanks and nothing unprintable": `select email_canonical as address from accounts
    where state <> 'erased' and (email_canonical not like '%_@_%' or email_canonical glob '*[' || char(1) || '-' || char(32) || ']*')
    union all select email_canonical from entries where email_canonical not like '%_@_%'
      or email_canonical glob '*[' || char(1) || '-' || char(32) || ']*'
    union all select email from withdrawals where email not like '%_@_%' and email <> ''
    union all select email from cancellations where email not like '%_@_%' and email <> ''`,
  "names and words of people are one line of printable letters": `select id from accounts where name glob '*[' || char(1) || '-' || char(31) || ']*'
    union all select id from passkeys where name glob '*[' || char(1) || '-' || char(31) || ']*'
    union all select id from devices where name || platform glob '*[' || char(1) || '-' || char(31) || ']*'
    union all select id from withdrawals where name || order_typed glob '*[' || char(1) || '-' || char(31) || ']*'
    union all select id from cancellations where name || order_typed glob '*[' || char(1) || '-' || char(31) || ']*'`,
  "time zones and locales are no sentences": `select id from accounts where length(time_zone) > 60 or length(locale) > 20
    or time_zone glob '*[^A-Za-z0-9/_+-]*' or locale glob '*[^A-Za-z0-9-]*'`,
  "what is stored as JSON is JSON": `select 'codes ' || id as what from codes where not json_valid(carried) or not json_valid(quotas)
    union all select 'accounts ' || id from accounts where not json_valid(emails_off)
    union all select 'entries ' || id from entries where looks is not null and not json_valid(looks)
    union all select 'documents ' || order_id from documents where not json_valid(lines) or not json_valid(taxes)
      or not json_valid(steps) or not json_valid(seller) or not json_valid(buyer)${ofFeatures}`,
  "moments are of this century": `select id from orders where created_at not between 1600000000000 and 4102444800000
    union all select meter from usage_values where reported_at > 4102444800000`,
};
