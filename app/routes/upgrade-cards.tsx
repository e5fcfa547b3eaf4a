import { Form, Link } from "react-router";
import type { Account } from "#app/domain/accounts/rules.ts";
import { formatMoney } from "#app/domain/kernel/money.ts";
import type { PlanOffer } from "#app/domain/product/rules.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { IntervalSwitch } from "#app/ui/interval-switch.tsx";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { Money } from "#app/ui/money.tsx";
import { PlanCards } from "#app/ui/plan-cards.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { StateChip } from "#app/ui/state-chip.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import { upgradeWords } from "./upgrade.words.ts";

type Page = {
  account: Account;
  interval: "month" | "year";
  offers: PlanOffer[];
  current: { id: string; name: string };
  isPaying: boolean;
  planPath: string;
};

/** Plans side by side; choosing one asks for a quote, which is a page of its own. */
export function ChoosePlan({ page }: { page: Page }) {
  const words = useWords(upgradeWords);
  const { locale } = page.account;
  return (
    <>
      <IntervalSwitch
        label={words.switchLabel}
        current={page.interval}
        options={[
          { value: "month", label: words.month, to: "/settings/upgrade" },
          { value: "year", label: words.year, note: words.yearNote, to: "/settings/upgrade?interval=year" },
        ]}
      />
      <PlanCards
        level={2}
        plans={page.offers.map((offer) => ({
          id: offer.id,
          name: offer.name,
          tagline: offer.tagline,
          points: offer.points,
          price: offer.price ? (
            <Money value={offer.price} locale={locale} />
          ) : (
            <Money value={nothing(page)} locale={locale} />
          ),
          per: offer.price ? (page.interval === "year" ? words.perYear : words.perMonth) : words.forever,
          saving: offer.saving
            ? words.saving(formatMoney(offer.saving.amount, locale), formatMoney(offer.saving.perMonth, locale))
            : undefined,
          current: offer.id === page.current.id,
          chip: offer.state === "behind-gate" ? <StateChip tone="waiting">{words.waitlistChip}</StateChip> : undefined,
          action: <Choice offer={offer} page={page} />,
        }))}
      />
    </>
  );
}

function Choice({ offer, page }: { offer: PlanOffer; page: Page }) {
  const words = useWords(upgradeWords);
  const pending = usePending("plan", offer.id);
  if (offer.id === page.current.id) return <StateChip tone="good">{words.current}</StateChip>;
  if (!offer.price)
    return (
      <LinkButton wide to={page.planPath}>
        {words.endPlan(offer.name)}
      </LinkButton>
    );
  if (offer.state === "behind-gate")
    return (
      <LinkButton wide to="/waitlist">
        {words.waitlist}
      </LinkButton>
    );
  if (offer.state === "not-on-sale") return <p className="quiet">{words.notOnSale}</p>;
  if (page.isPaying) return <p className="quiet">{words.cancelFirst(page.current.name)}</p>;
  return (
    <Form method="post">
      <input type="hidden" name="plan" value={offer.id} />
      <input type="hidden" name="interval" value={page.interval} />
      <Button kind="primary" wide name="intent" value="quote" pending={pending}>
        {words.choose(offer.name)}
      </Button>
    </Form>
  );
}

type ConfirmedPage = Page & {
  chosen: PlanOffer;
  quote: string | null;
  now: { amountMinor: number; currency: string; discountMinor: number } | null;
};

/** What is charged now and later, exactly; the button repeats the amount, and the quote holds it. */
export function ConfirmPlan({ page }: { page: ConfirmedPage }) {
  const { confirm: words, perMonth, perYear } = useWords(upgradeWords);
  const pending = usePending("intent", "confirm");
  const price = formatMoney(page.chosen.price ?? nothing(page), page.account.locale);
  const per = page.interval === "year" ? perYear : perMonth;
  const now = page.now ? formatMoney(page.now, page.account.locale) : price;
  const off = page.now && page.now.discountMinor > 0 ? { ...page.now, amountMinor: page.now.discountMinor } : null;
  return (
    <SectionCard
      title={page.chosen.tagline}
      footer={<Link to={`/settings/upgrade?interval=${page.interval}`}>{words.back}</Link>}
    >
      <KeyValues
        items={[
          { label: words.now, value: <strong className="figures">{now}</strong> },
          ...(off ? [{ label: words.friend, value: words.friendText(formatMoney(off, page.account.locale)) }] : []),
          { label: words.then, value: words.thenText(price, per) },
          { label: words.tax, value: words.taxText },
          { label: words.get, value: page.chosen.points.join(" · ") },
        ]}
      />
      {/* The answer leads to another site: the browser goes there itself. */}
      <Form method="post" className="stack" reloadDocument>
        <input type="hidden" name="plan" value={page.chosen.id} />
        <input type="hidden" name="interval" value={page.interval} />
        <input type="hidden" name="quote" value={page.quote ?? ""} />
        <Button kind="primary" wide name="intent" value="confirm" pending={pending} pendingLabel={words.pending}>
          {off ? words.submitNow(page.chosen.name, now) : words.submit(page.chosen.name, price, per)}
        </Button>
        <p className="quiet">{words.note}</p>
      </Form>
    </SectionCard>
  );
}

function nothing(page: Page) {
  return { amountMinor: 0, currency: page.offers.find((offer) => offer.price)?.price?.currency ?? "EUR" };
}
