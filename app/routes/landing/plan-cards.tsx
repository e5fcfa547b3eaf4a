import { href } from "react-router";
import type { PlanOffer } from "#app/modules/catalogue/offers.rules.ts";
import { formatPrice } from "#app/core/money/money.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { Price } from "#app/ui/components/data/money.tsx";
import { PlanCards } from "#app/ui/components/data/plan-cards.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { landingMessages } from "#app/product/landing/messages.ts";
import { underWayMessages, changePlanMessages } from "./under-way.messages.ts";
import { gatePages } from "#app/features.ts";

type PlanMessages = (typeof landingMessages)["en"]["plans"];
type Page = {
  offers: PlanOffer[];
  locale: string;
  isSignedIn: boolean;
  ownPlanId: string | null;
  planPath: string;
  isAccountClosed: boolean;
  underWay: { planId: string; path: string } | null;
  gate: string;
  isFull: boolean;
  carried: string | null;
};

/** The URL of a next step. It carries a friend's code only if this browser doesn't store it. */
export function carryOn(path: string, query: Record<string, string>, code: string | null): string {
  const search = new URLSearchParams(code === null ? query : { ...query, ref: code }).toString();
  return search === "" ? path : `${path}?${search}`;
}

/** The plans on the landing page; each card links to the one next step that is available. */
export function LandingPlans({ page, messages }: { page: Page; messages: PlanMessages }) {
  const perOf = (offer: PlanOffer) => (offer.interval === "year" ? messages.perYear : messages.perMonth);
  return (
    <PlanCards
      plans={page.offers.map((offer) => ({
        id: offer.id,
        name: offer.name,
        tagline: offer.tagline,
        points: offer.points,
        price: (
          <Price value={offer.price ?? { amountMinor: 0, currency: currencyOf(page.offers) }} locale={page.locale} />
        ),
        per: offer.price ? perOf(offer) : messages.forever,
        saving: offer.saving
          ? messages.saving(
              formatPrice(offer.saving.amount, page.locale),
              formatPrice(offer.saving.perMonth, page.locale),
            )
          : undefined,
        current: isOwn(offer, page),
        featured: page.ownPlanId === null && page.underWay === null && isFirst(offer, page.offers),
        chip: chipOf(offer, page, messages),
        action: <NextStep offer={offer} page={page} messages={messages} per={perOf(offer)} />,
      }))}
    />
  );
}

function NextStep({
  offer,
  page,
  messages,
  per,
}: {
  offer: PlanOffer;
  page: Page;
  messages: PlanMessages;
  per: string;
}) {
  if (page.isAccountClosed)
    return (
      <LinkButton wide to={href("/settings")}>
        {messages.restoreFirst}
      </LinkButton>
    );
  if (isOwn(offer, page))
    return (
      <LinkButton wide to={page.planPath}>
        {messages.manage}
      </LinkButton>
    );
  if (page.underWay && offer.price) {
    // As on the plans page, nothing else can be started until the payment's result is known.
    if (offer.id !== page.underWay.planId) return null;
    return (
      <LinkButton wide to={page.underWay.path}>
        <UnderWay part="link" />
      </LinkButton>
    );
  }
  if (offer.state === "behind-gate" || page.gate === "signup") {
    return <JoinPlan plan={offer.name} page={page} />;
  }
  if (offer.state === "price-differs")
    return (
      <p className="quiet">
        <Unsold />
      </p>
    );
  if (offer.state === "not-on-sale") return <p>{messages.notOnSale}</p>;
  if (!offer.price) {
    return (
      <LinkButton wide to={page.isSignedIn ? href("/settings/upgrade") : carryOn(href("/signup"), {}, page.carried)}>
        {page.isSignedIn ? <ChangeTo plan={offer.name} /> : messages.chooseFree(offer.name)}
      </LinkButton>
    );
  }
  const start = page.isSignedIn ? href("/settings/upgrade") : href("/signup");
  return (
    <LinkButton
      wide
      kind={isFirst(offer, page.offers) ? "primary" : "quiet"}
      to={carryOn(start, { plan: offer.id, interval: offer.interval }, page.carried)}
    >
      {messages.choose(offer.name, formatPrice(offer.price, page.locale), per)}
    </LinkButton>
  );
}

/** Of a plan that is open by invitation only. */
function JoinPlan({ plan, page }: { plan: string; page: Page }) {
  const { path, messages } = gatePages();
  const texts = useMessages(messages).landing.plan;
  if (page.isFull) return <p className="quiet">{texts.full}</p>;
  return (
    <LinkButton wide to={carryOn(path, {}, page.carried)}>
      {texts.join(plan)}
    </LinkButton>
  );
}

function GateChip() {
  return <StateChip tone="waiting">{useMessages(gatePages().messages).landing.plan.chip}</StateChip>;
}

function Unsold() {
  return useMessages(changePlanMessages).unsold;
}

function ChangeTo({ plan }: { plan: string }) {
  return useMessages(changePlanMessages).change(plan);
}

function UnderWay({ part }: { part: "chip" | "link" }) {
  return useMessages(underWayMessages)[part];
}

function chipOf(offer: PlanOffer, page: Page, messages: PlanMessages) {
  if (isOwn(offer, page)) return <StateChip tone="good">{messages.yours}</StateChip>;
  if (offer.id === page.underWay?.planId)
    return (
      <StateChip tone="waiting">
        <UnderWay part="chip" />
      </StateChip>
    );
  if (offer.state === "behind-gate") return <GateChip />;
  return undefined;
}

/** A closed account has no plan any more. */
function isOwn(offer: PlanOffer, page: Page): boolean {
  return offer.id === page.ownPlanId && !page.isAccountClosed;
}

function isFirst(offer: PlanOffer, offers: PlanOffer[]): boolean {
  return offers.find((candidate) => candidate.price && candidate.state === "open")?.id === offer.id;
}

function currencyOf(offers: PlanOffer[]): string {
  return offers.find((offer) => offer.price)?.price?.currency ?? "EUR";
}
