import { href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { ShownLine } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { referralMessages } from "./messages.ts";
import type { ReferralPage } from "./page-data.ts";

/** The balance, what it is used for next, and what expires first. Renders nothing without a balance. */
export function Credit({ page }: { page: ReferralPage }) {
  const { credit: messages } = useMessages(referralMessages);
  const { currency, locale, credit, nextUse } = page;
  const { balanceMinor, owedMinor, expiry } = credit;
  if (balanceMinor === 0 && owedMinor === 0) return null;
  const say = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const day = (at: number) => formatDay(at, page);
  const use = nextUse.kind === "charge" ? messages.onCharge(day(nextUse.at)) : messages.onPlan;
  return (
    <SectionCard
      title={messages.title}
      footer={
        nextUse.kind === "plan" && balanceMinor > 0 ? (
          <Link to={href("/settings/upgrade")}>{messages.plans}</Link>
        ) : undefined
      }
    >
      <KeyValues
        items={[
          { label: messages.balance, value: <strong className="figures">{say(balanceMinor)}</strong> },
          ...(balanceMinor > 0 ? [{ label: messages.next, value: use }] : []),
          ...(expiry
            ? [{ label: messages.expires, value: messages.expiresText(say(expiry.amountMinor), day(expiry.at)) }]
            : []),
          ...(owedMinor > 0 ? [{ label: messages.owed, value: messages.owedText(say(owedMinor)) }] : []),
        ]}
      />
    </SectionCard>
  );
}

/** The newest transactions with their reasons. Renders nothing if there are none. */
export function Ledger({ page }: { page: ReferralPage }) {
  const { ledger: messages } = useMessages(referralMessages);
  const { lines, locale, timeZone, currency } = page;
  if (lines.length === 0) return null;
  return (
    <SectionCard title={messages.title} footer={page.hasMoreLines ? <p>{messages.newest(lines.length)}</p> : undefined}>
      <DataTable
        caption={messages.caption}
        columns={[
          { key: "why", label: messages.why },
          { key: "date", label: messages.date },
          { key: "amount", label: messages.amount, align: "end" },
        ]}
        rows={lines.map((line) => ({
          id: line.id,
          cells: {
            why: <Why line={line} page={page} />,
            date: (
              <span className="day">
                <Moment at={line.happenedAt} timeZone={timeZone} locale={locale} style="short" />
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
  const { ledger: messages } = useMessages(referralMessages);
  const { order, owedMinor, why } = line;
  const owed = formatMoney({ amountMinor: owedMinor, currency: page.currency }, page.locale);
  return (
    <>
      {messages.whys(page.product, page.limits.creditMonths)[why]}
      {order && (
        <>
          {": "}
          <Link to={href("/settings/orders/:order", { order: order.id })}>{messages.order(order.number)}</Link>
        </>
      )}
      {owedMinor > 0 && <span className="quiet cell-note">{messages.owed(owed)}</span>}
    </>
  );
}
