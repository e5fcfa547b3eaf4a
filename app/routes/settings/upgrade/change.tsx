import type { ReactNode } from "react";
import { Form, href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { ChangeOffer, ChangeCharge } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { changesIntervalAlone } from "#app/modules/billing/subscriptions/change.rules.ts";
import { policies } from "#app/modules/billing/subscriptions/rules.ts";
import { nameMethod } from "#app/modules/billing/subscriptions/reminders.rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { Points } from "#app/ui/components/data/points.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { type ChangeTexts, changeMessages } from "./messages.ts";
import type { RunningUpgradePage } from "./page-data.ts";
import { Money } from "#app/ui/components/data/money.tsx";

type Offered = Exclude<ChangeOffer, { kind: "refused" }>;
type ConfirmChangeProps = { page: RunningUpgradePage; plan: Plan; offer: Offered };

/** The heading of the confirmation. Null while there is nothing to confirm. */
export function headChange(messages: ChangeTexts, { offer, chosen, current, interval }: RunningUpgradePage) {
  if (!chosen || !offer || offer.kind === "start" || offer.kind === "refused") return null;
  const { lead } = messages;
  if (offer.kind === "stay") return { title: messages.titleStay(current.name), lead };
  if (chosen.id !== current.id) return { title: messages.title(chosen.name), lead };
  return { title: interval === "year" ? messages.titleYearly : messages.titleMonthly, lead };
}

/** What a change costs now and later, when it starts and what changes with it; the button repeats the amount, and the quote contains it. */
export function ConfirmChange({ page, plan, offer }: ConfirmChangeProps) {
  const messages = useMessages(changeMessages);
  const pending = usePending("intent", "confirm");
  const note = offer.kind === "now" ? noteNow(messages, page) : offer.kind === "later" && messages.noteLater;
  return (
    <>
      {page.instead && <Instead page={page} plan={plan} instead={page.instead} />}
      {offer.kind === "now" && <ChangeSum page={page} plan={plan} charge={offer.charge} />}
      <SectionCard
        title={messages.then}
        footer={<Link to={`${href("/settings/upgrade")}?interval=${page.interval}`}>{messages.back}</Link>}
      >
        <KeyValues items={factsOf(messages, page, plan, offer)} />
        <Form method="post" className="stack">
          <input type="hidden" name="plan" value={plan.id} />
          <input type="hidden" name="interval" value={page.interval} />
          {offer.kind !== "end" && <input type="hidden" name="quote" value={offer.quote} />}
          <Button
            kind={offer.kind === "end" ? "danger" : "primary"}
            wide
            name="intent"
            value="confirm"
            pending={pending}
            pendingLabel={messages.pending}
          >
            {labelOf(messages, page, plan, offer)}
          </Button>
          {note && <p className="quiet">{note}</p>}
        </Form>
      </SectionCard>
    </>
  );
}

type InsteadProps = { page: RunningUpgradePage; plan: Plan; instead: NonNullable<RunningUpgradePage["instead"]> };

/** Why an immediate change is scheduled instead, and how to have it now. */
function Instead({ page, plan, instead: { title, text, useCard } }: InsteadProps) {
  const pending = usePending("intent", "use-card");
  return (
    <Notice kind="info" title={title}>
      <p>{text}</p>
      {useCard && (
        <Form method="post" className="stack" {...documentForm}>
          <p>{useCard.text}</p>
          <input type="hidden" name="plan" value={plan.id} />
          <input type="hidden" name="interval" value={page.interval} />
          <Button name="intent" value="use-card" pending={pending} pendingLabel={useCard.pending}>
            {useCard.button}
          </Button>
        </Form>
      )}
    </Notice>
  );
}

/** What happens when the payment fails, and until when the change can be withdrawn from. */
function noteNow(messages: ChangeTexts, { pending, reader, running, withdrawalDays }: RunningUpgradePage): string {
  const { pendingAt } = running;
  const note =
    pending && pendingAt ? messages.noteNowScheduled(pending.name, formatDay(pendingAt, reader)) : messages.noteNow;
  return withdrawalDays === null ? note : `${note} ${messages.refund(withdrawalDays)}`;
}

function factsOf(messages: ChangeTexts, page: RunningUpgradePage, plan: Plan, offer: Offered) {
  const { reader, lost } = page;
  const isSmaller = lost.length > 0 || page.excess.length > 0 || offer.kind === "end";
  const day = (at: number) => formatDay(at, reader);
  const fact = (label: string, value: ReactNode) => (value === null ? [] : [{ label, value }]);
  return [
    ...(offer.kind === "now"
      ? fact(messages.card, nameMethod(page.running))
      : fact(messages.sum, nothingDue(messages, page))),
    ...fact(messages.begins, describeStart(messages, page, offer)),
    ...(offer.kind === "end"
      ? fact(
          messages.ends(page.current.name),
          offer.endsAt
            ? messages.endsText(day(offer.endsAt), offer.refundsRest)
            : messages.endsNow(policies[page.running.state].needsPayment),
        )
      : []),
    ...(offer.kind === "end" ? [] : fact(messages.next, nextOf(messages, page, offer.next))),
    ...fact(messages.instead, insteadOf(messages, page)),
    ...(page.excess.length > 0 ? fact(messages.excess(plan.name), <Points points={page.excess} />) : []),
    ...fact(pointsLabel(messages, page, plan), <Points points={plan.points} />),
    ...(lost.length > 0 ? fact(messages.lost, <Points points={lost} />) : []),
    ...(isSmaller ? fact(messages.data, page.dataWhenSmaller) : []),
  ];
}

function nothingDue(messages: ChangeTexts, { coming, reader }: RunningUpgradePage): string {
  return coming
    ? messages.nothingBut(formatMoney(coming, reader.locale), formatDay(coming.at, reader), coming.isToday)
    : messages.nothing;
}

/** The scheduled change that this one replaces. */
function insteadOf(messages: ChangeTexts, { pending, running, reader }: RunningUpgradePage): string | null {
  const { pendingAt, pendingInterval } = running;
  if (!pending || !pendingAt) return null;
  const day = formatDay(pendingAt, reader);
  return pendingInterval && changesIntervalAlone(running)
    ? messages.insteadTextInterval[pendingInterval](day)
    : messages.insteadText(pending.name, day);
}

function pointsLabel(messages: ChangeTexts, { current, lost }: RunningUpgradePage, plan: Plan): string {
  if (plan.id === current.id) return messages.keep;
  return lost.length > 0 ? messages.willHave : messages.get;
}

/** When and how much is charged next, and why it differs from the price. */
function nextOf(
  messages: ChangeTexts,
  { reader }: RunningUpgradePage,
  next: Exclude<Offered, { kind: "end" }>["next"],
): string {
  const say = (amountMinor: number) => formatMoney({ amountMinor, currency: next.currency }, reader.locale);
  const credit = next.creditMinor > 0 ? messages.nextWithCredit(say(next.creditMinor)) : "";
  const carried = next.carriedMinor > 0 ? messages.nextWithCarried(say(next.carriedMinor)) : "";
  const discount = next.isDiscounted ? messages.nextWithDiscount : "";
  return messages.nextText(say(next.amountMinor), formatDay(next.at, reader)) + discount + credit + carried;
}

function describeStart(messages: ChangeTexts, page: RunningUpgradePage, offer: Offered): string | null {
  if (offer.kind === "now") return messages.atOnce;
  if (offer.kind !== "later") return null;
  const day = formatDay(offer.beginsAt, page.reader);
  return page.chosen?.id === page.current.id
    ? messages.beginsTextInterval[page.interval](day)
    : messages.beginsText(day, page.current.name);
}

function labelOf(messages: ChangeTexts, page: RunningUpgradePage, plan: Plan, offer: Offered): string {
  const { reader, interval, current } = page;
  const shown = shownPrice(page, offer);
  const isIntervalAlone = plan.id === current.id;
  switch (offer.kind) {
    case "now": {
      const charge = formatMoney(offer.charge, reader.locale);
      return isIntervalAlone ? messages.submitInterval[interval](charge) : messages.submitNow(plan.name, charge);
    }
    case "later": {
      const day = formatDay(offer.beginsAt, reader);
      return isIntervalAlone
        ? messages.submitIntervalLater[interval](shown ?? "", day)
        : messages.submitLater(plan.name, shown ?? "", messages.per[interval], day);
    }
    case "stay":
      return messages.submitStay(plan.name, shown ?? "", messages.per[interval]);
    case "end":
      return offer.endsAt
        ? messages.submitEnd(plan.name, formatDay(offer.endsAt, reader))
        : messages.submitEndNow(plan.name);
  }
}

/** What is charged from then on; for the active plan, its current charge. */
function shownPrice({ chosenPrice, running, reader }: RunningUpgradePage, offer: Offered): string | null {
  const price = offer.kind === "stay" ? running : chosenPrice;
  return price && formatMoney(price, reader.locale);
}

/** What is charged now, line by line as calculated by Stripe, to the cent. */
function ChangeSum({ page, plan, charge }: { page: RunningUpgradePage; plan: Plan; charge: ChangeCharge }) {
  const messages = useMessages(changeMessages);
  const { locale } = page.reader;
  const amount = (amountMinor: number) => <Money value={{ amountMinor, currency: charge.currency }} locale={locale} />;
  const row = (label: string, amountMinor: number) =>
    amountMinor === 0 ? [] : [{ label, value: amount(amountMinor) }];
  const unusedMinor = charge.lines.reduce((sum, line) => sum + Math.min(0, line.amountMinor), 0);
  const remainingMinor = charge.lines.reduce((sum, line) => sum + Math.max(0, line.amountMinor), 0);
  const { creditMinor, carriedMinor } = charge;
  return (
    <SectionCard title={messages.sum}>
      <KeyValues
        sums
        items={[
          ...row(messages.remaining(plan.name, formatDay(charge.periodEndsAt, page.reader)), remainingMinor),
          ...row(messages.unused(page.current.name), unusedMinor),
          ...row(messages.discount, -charge.discountMinor),
          ...row(creditMinor > 0 ? messages.credit : messages.credited, -creditMinor),
          ...row(carriedMinor > 0 ? messages.earlier : messages.later, carriedMinor),
          ...row(messages.tax, charge.taxMinor),
          { label: messages.total, value: <strong>{amount(charge.amountMinor)}</strong> },
        ]}
      />
    </SectionCard>
  );
}
