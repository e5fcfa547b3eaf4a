import { Link } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { ShownLine } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { DataTable } from "#app/ui/components/data-table.tsx";
import { KeyValues } from "#app/ui/components/key-values.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { Money } from "#app/ui/components/money.tsx";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { referralWords } from "./messages.ts";
import type { ReferralPage } from "./page-data.ts";

/** What there is, what it is used for next, and what runs out first. */
export function Credit({ page }: { page: ReferralPage }) {
  const { credit: words } = useWords(referralWords);
  const { currency, locale, credit, nextUse } = page;
  const { balanceMinor, owedMinor, expiry } = credit;
  const say = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const day = (at: number) => formatDay(at, page);
  const use = nextUse.kind === "charge" ? words.onCharge(day(nextUse.at)) : words.onPlan;
  return (
    <SectionCard
      title={words.title}
      footer={
        nextUse.kind === "plan" && balanceMinor > 0 ? <Link to="/settings/upgrade">{words.plans}</Link> : undefined
      }
    >
      <KeyValues
        items={[
          { label: words.balance, value: <strong className="figures">{say(balanceMinor)}</strong> },
          ...(balanceMinor > 0 ? [{ label: words.next, value: use }] : []),
          ...(expiry
            ? [{ label: words.expires, value: words.expiresText(say(expiry.amountMinor), day(expiry.at)) }]
            : []),
          ...(owedMinor > 0 ? [{ label: words.owed, value: words.owedText(say(owedMinor)) }] : []),
        ]}
      />
    </SectionCard>
  );
}

/** Every movement and why, newest first; nothing where there was none. */
export function Ledger({ page }: { page: ReferralPage }) {
  const { ledger: words } = useWords(referralWords);
  const { lines, locale, timeZone, currency } = page;
  if (lines.length === 0) return null;
  return (
    <SectionCard title={words.title} footer={page.hasMoreLines ? <p>{words.newest(lines.length)}</p> : undefined}>
      <DataTable
        caption={words.caption}
        columns={[
          { key: "why", label: words.why },
          { key: "date", label: words.date },
          { key: "amount", label: words.amount, align: "end" },
        ]}
        rows={lines.map((line) => ({
          id: line.id,
          cells: {
            why: <Why line={line} page={page} />,
            date: (
              <span className="day">
                <Moment at={line.happenedAt} timeZone={timeZone} locale={locale} />
              </span>
            ),
            amount: <Money value={{ amountMinor: line.amountMinor, currency }} locale={locale} />,
          },
        }))}
      />
    </SectionCard>
  );
}

function Why({ line, page }: { line: ShownLine; page: ReferralPage }) {
  const { ledger: words } = useWords(referralWords);
  const { order, owedMinor, why } = line;
  const owed = formatMoney({ amountMinor: owedMinor, currency: page.currency }, page.locale);
  return (
    <>
      {words.whys(page.product, page.limits.creditMonths)[why]}
      {order && (
        <>
          {" "}
          <Link to={`/settings/orders?order=${order.id}`}>{words.order(order.number)}</Link>
        </>
      )}
      {owedMinor > 0 && <span className="quiet cell-note">{words.owed(owed)}</span>}
    </>
  );
}
