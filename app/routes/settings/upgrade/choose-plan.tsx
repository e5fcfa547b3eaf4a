import { Form, href } from "react-router";
import { formatPrice } from "#app/core/money/money.ts";
import { formatShortDay } from "#app/core/time/time.ts";
import { reviewPath } from "#app/core/page-paths.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type { PlanOffer } from "#app/modules/catalogue/offers.rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { IntervalSwitch } from "#app/ui/components/forms/interval-switch.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Price } from "#app/ui/components/data/money.tsx";
import { PlanCards } from "#app/ui/components/data/plan-cards.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { gatePages } from "#app/features.ts";
import { type UpgradeTexts, upgradeMessages } from "./messages.ts";
import type { UpgradePage } from "./page-data.ts";

/** Plans side by side; choosing one requests a quote, which is a separate page. */
export function ChoosePlan({ page }: { page: UpgradePage }) {
  const messages = useMessages(upgradeMessages);
  const { locale } = page.reader;
  const noteOf = (interval: Interval, note?: string) =>
    page.running?.interval === interval && !page.isPaused ? messages.yours : note;
  return (
    <>
      {page.hasChoice && (
        <IntervalSwitch
          label={messages.switchLabel}
          current={page.interval}
          options={[
            {
              value: "month",
              label: messages.month,
              note: noteOf("month"),
              to: `${href("/settings/upgrade")}?interval=month`,
            },
            {
              value: "year",
              label: messages.year,
              note: noteOf("year", messages.yearNote(page.monthsLess)),
              to: `${href("/settings/upgrade")}?interval=year`,
            },
          ]}
        />
      )}
      <PlanCards
        level={2}
        plans={page.offers.map((offer) => ({
          id: offer.id,
          name: offer.name,
          tagline: offer.tagline,
          points: offer.points,
          price: <Price value={offer.price ?? { amountMinor: 0, currency: page.currency }} locale={locale} />,
          per: offer.price ? (offer.interval === "year" ? messages.perYear : messages.perMonth) : messages.forever,
          saving: offer.saving
            ? messages.saving(formatPrice(offer.saving.amount, locale), formatPrice(offer.saving.perMonth, locale))
            : undefined,
          current: runsSo(page, offer),
          chip: chipOf(offer, page, messages),
          action: <Choice offer={offer} page={page} />,
        }))}
      />
    </>
  );
}

function chipOf(offer: PlanOffer, page: UpgradePage, messages: UpgradeTexts) {
  if (offer.id === page.current?.id) return undefined;
  if (offer.state === "behind-gate") {
    return <GateChip page={page} />;
  }
  return offer.id === page.invitedTo ? <StateChip tone="good">{messages.invitedChip}</StateChip> : undefined;
}

type ChoiceProps = { offer: PlanOffer; page: UpgradePage };

/** The action for a plan: the active one is marked, and so is the scheduled one. */
function Choice({ offer, page }: ChoiceProps) {
  const messages = useMessages(upgradeMessages);
  const { running, reader } = page;
  const endsAt = running?.cancelsAt ?? running?.pendingAt ?? null;
  const day = endsAt === null ? "" : formatShortDay(endsAt, reader);
  if (page.current && runsSo(page, offer) && !page.isPaused) {
    if (running?.pendingAt) return <Keep page={page} name={page.current.name} />;
    if (page.isWithdrawn) return <StateChip tone="attention">{messages.withdrawn.status}</StateChip>;
    const isOver = endsAt !== null;
    return (
      <StateChip tone={isOver ? "attention" : "good"}>
        {isOver ? messages.currentUntil(day) : messages.current}
      </StateChip>
    );
  }
  // The page says why.
  if (page.isWithdrawn) return null;
  if (beginsThen(page, offer)) return <StateChip tone="waiting">{messages.begins(day)}</StateChip>;
  if (!offer.price) return <Choose offer={offer} page={page} label={messages.change(offer.name)} />;
  if (offer.state === "behind-gate" && offer.id !== page.current?.id) {
    return <Join page={page} />;
  }
  if (offer.state === "price-differs") return <Unsold offer={offer} />;
  if (offer.state === "not-on-sale") return <p className="quiet">{messages.notOnSale}</p>;
  // The page states above why nothing can be chosen now.
  if (page.blocked || page.open?.blocksChoice) return null;
  if (page.isPaused && offer.id === page.current?.id)
    return <Choose offer={offer} page={page} label={messages.continueWith(offer.name)} />;
  if (!running || page.isPaused) return <Choose offer={offer} page={page} label={messages.choose(offer.name)} />;
  const label = offer.id === running.planId ? messages.changeInterval[offer.interval] : messages.change(offer.name);
  return <Choose offer={offer} page={page} label={label} />;
}

function GateChip({ page }: { page: UpgradePage }) {
  const { ownChip, chip } = useMessages(gatePages().messages).plans;
  return <StateChip tone="waiting">{page.isWaiting ? ownChip : chip}</StateChip>;
}

/** Where one waits for a plan that is open by invitation only. */
function Join({ page }: { page: UpgradePage }) {
  const { path, messages } = gatePages();
  const { own, join, full } = useMessages(messages).plans;
  if (page.isFull && !page.isWaiting) return <p className="quiet">{full}</p>;
  return (
    <LinkButton wide to={path}>
      {page.isWaiting ? own : join}
    </LinkButton>
  );
}

/** Stripe has another price: its review asks again whether it was put right. */
function Unsold({ offer }: { offer: PlanOffer }) {
  const messages = useMessages(upgradeMessages);
  return (
    <p className="quiet">
      {messages.unsold}{" "}
      <Link to={reviewPath({ planId: offer.id, interval: offer.interval })}>{messages.wayOn.again}</Link>
    </p>
  );
}

/** Whether the offer is the active plan in its current billing interval. */
function runsSo({ running, current }: UpgradePage, offer: PlanOffer): boolean {
  return offer.id === current?.id && (running === null || running.interval === offer.interval);
}

/** Whether the offer is the plan from the next period on. */
function beginsThen({ running }: UpgradePage, offer: PlanOffer): boolean {
  if (running?.cancelsAt) return offer.price === null;
  return running?.pendingPlanId === offer.id && running.pendingInterval === offer.interval;
}

function Choose({ offer, page, label }: ChoiceProps & { label: string }) {
  const pending = usePending("plan", offer.id);
  return (
    <Form method="post" action={href("/settings/upgrade")}>
      <input type="hidden" name="plan" value={offer.id} />
      <input type="hidden" name="interval" value={offer.interval} />
      <Button
        kind={page.upward.includes(offer.id) ? "primary" : "quiet"}
        wide
        name="intent"
        value="quote"
        pending={pending}
      >
        {label}
      </Button>
    </Form>
  );
}

/** Another plan is scheduled to replace the active one: that can be cancelled. */
function Keep({ page, name }: { page: UpgradePage; name: string }) {
  const messages = useMessages(upgradeMessages);
  const pending = usePending("intent", "undo-change");
  return (
    <Form method="post" action={page.planPath} className="stack">
      <StateChip tone="attention">
        {messages.currentUntil(formatShortDay(page.running?.pendingAt ?? 0, page.reader))}
      </StateChip>
      <Button wide name="intent" value="undo-change" pending={pending}>
        {page.intervalToKeep ? messages.keepInterval[page.intervalToKeep] : messages.keep(name)}
      </Button>
    </Form>
  );
}
