import { Form, href } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import type { Offer } from "#app/workflows/offer-plan.server.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { Points } from "#app/ui/components/data/points.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { upgradeMessages } from "./messages.ts";
import type { UpgradePage } from "./page-data.ts";

type ConfirmStartProps = { page: UpgradePage; plan: Plan; offer: Extract<Offer, { kind: "start" }> };

/** The exact amounts charged now and later; the button repeats the amount, and the quote contains it. */
export function ConfirmStart({ page, plan, offer }: ConfirmStartProps) {
  const { confirm: messages, perMonth, perYear } = useMessages(upgradeMessages);
  const pending = usePending("intent", "confirm");
  const { locale } = page.reader;
  const { dueNow: now, friend } = offer;
  const price = formatMoney(offer.price, locale);
  const per = page.interval === "year" ? perYear : perMonth;
  const say = (amountMinor: number) => formatMoney({ amountMinor, currency: now.currency }, locale);
  // For the customer, a paused plan continues, so the page doesn't mention that a new subscription replaces it.
  const isAgain = page.isPaused && plan.id === page.current?.id;
  const isPrice = now.amountMinor === offer.price.amountMinor;
  return (
    <SectionCard
      title={messages.card}
      footer={<Link to={`${href("/settings/upgrade")}?interval=${page.interval}`}>{messages.back}</Link>}
    >
      <KeyValues
        items={[
          { label: messages.now, value: <strong className="figures">{say(now.amountMinor)}</strong> },
          ...(friend
            ? [{ label: messages.friend, value: messages.friendText(say(friend.amountMinor), friend.isUnderReview) }]
            : []),
          ...(now.creditMinor > 0
            ? [{ label: messages.credit, value: messages.creditText(say(now.creditMinor)) }]
            : []),
          ...carriedOf(messages, now.carriedMinor, say),
          { label: messages.then, value: messages.thenText(price, per, formatDay(offer.nextAt, page.reader)) },
          ...(page.running && page.current && !isAgain
            ? [{ label: messages.replaces, value: messages.replacesText(page.current.name) }]
            : []),
          ...(page.hasTax ? [{ label: messages.tax, value: messages.taxText }] : []),
          { label: messages.get, value: <Points points={plan.points} /> },
        ]}
      />
      {/* The response redirects to another site, so the browser navigates, not the router. */}
      <Form method="post" className="stack" {...documentForm}>
        <input type="hidden" name="plan" value={plan.id} />
        <input type="hidden" name="interval" value={page.interval} />
        <input type="hidden" name="quote" value={offer.quote} />
        <Button kind="primary" wide name="intent" value="confirm" pending={pending} pendingLabel={messages.pending}>
          {isPrice
            ? (isAgain ? messages.submitAgain : messages.submit)(plan.name, price, per)
            : messages.submitNow(plan.name, say(now.amountMinor))}
        </Button>
        <p className="quiet">
          {messages.note} {page.withdrawalDays !== null && messages.refund(page.withdrawalDays)}
        </p>
      </Form>
    </SectionCard>
  );
}

/** The amount carried between this charge and another because one of them is too small to collect alone. */
function carriedOf(
  messages: (typeof upgradeMessages)["en"]["confirm"],
  carriedMinor: number,
  say: (minor: number) => string,
) {
  if (carriedMinor === 0) return [];
  const value = carriedMinor > 0 ? messages.carriedFrom(say(carriedMinor)) : messages.carriedTo(say(-carriedMinor));
  return [{ label: messages.carried, value }];
}
