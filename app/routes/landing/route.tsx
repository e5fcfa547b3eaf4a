import { data } from "react-router";
import { appContext, claimContext, viewerContext } from "#app/http/contexts.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { findRunningSubscription } from "#app/modules/subscriptions/queries.server.ts";
import { freePlan, isInterval, segmentPath } from "#app/modules/catalogue/rules.ts";
import { intervalsSold, monthsLess, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { noteVisit } from "#app/modules/referrals/commands/note-visit.server.ts";
import { LinkButton } from "#app/ui/components/button.tsx";
import { IntervalSwitch } from "#app/ui/components/interval-switch.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Opening, PageSection } from "#app/ui/components/opening.tsx";
import { WidePage } from "#app/ui/components/page-shell.tsx";
import { Questions } from "#app/ui/components/questions.tsx";
import { Steps } from "#app/ui/components/steps.tsx";
import { socialPicture } from "#app/http/social-picture.ts";
import type { Route } from "./+types/route";
import { describeProduct } from "./landing-data.ts";
import { landingWords } from "./messages.ts";
import { LandingPicture } from "./picture.tsx";
import { carryOn, LandingPlans } from "./plan-cards.tsx";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  { tagName: "link", rel: "canonical", href: loaderData?.canonical },
  ...socialPicture(loaderData?.canonical, "landing", loaderData?.description),
  { property: "og:title", content: loaderData?.title },
  { "script:ld+json": loaderData && describeProduct(loaderData, landingWords.en.questions.items) },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const claim = context.get(claimContext);
  // Without it the page is whole but for the mark on one's own plan.
  const reads = claim && findRunningSubscription(app.db, claim.accountId).catch(app.report);
  const [viewer, running] = await Promise.all([context.get(viewerContext), reads]);
  const asked = url.searchParams.get("interval");
  const sold = intervalsSold(app.product);
  const interval = isInterval(asked) && sold.includes(asked) ? asked : (sold[0] ?? "month");
  const visit = await noteVisit(app, request, url.searchParams.get("ref"), viewer?.account.id ?? null);
  const page = {
    name: app.product.name,
    title: `${app.product.name}: ${app.product.tagline}`,
    description: app.product.description,
    canonical: `${app.origin}/`,
    interval,
    hasChoice: sold.length > 1,
    locale: viewer?.account.locale ?? app.product.locale,
    offers: offersOf(app.product, app.gate, interval, app.payments !== null),
    gate: app.gate.kind,
    list: app.product.waitlist,
    isLeaving: viewer?.account.state === "leaving",
    isSignedIn: viewer !== null,
    ownPlanId: viewer ? (running?.planId ?? freePlan(app.product)?.id ?? null) : null,
    planPath: segmentPath(app.product, "plan"),
    withdrawalDays: app.product.withdrawalDays,
    monthsLess: monthsLess(app.product),
    friend: visit.offer,
    carried: visit.carried,
    friendDays: app.product.referral.attributionDays,
  };
  return visit.cookie ? data(page, { headers: { "Set-Cookie": visit.cookie } }) : page;
}

export default function Landing({ loaderData: page }: Route.ComponentProps) {
  const words = useWords(landingWords);
  return (
    <WidePage>
      {page.friend && (
        <Notice kind="info">{words.friend(formatMoney(page.friend, page.locale), page.friendDays)}</Notice>
      )}
      <Opening
        title={words.heading}
        lead={words.lead}
        {...firstStep(page, words)}
        picture={<LandingPicture label={words.picture.label} words={words.picture.words} />}
      />
      <PageSection title={words.how.title}>
        <Steps steps={words.how.steps} />
      </PageSection>
      <PageSection
        id="plans"
        title={words.plans.title}
        lead={words.plans.lead}
        aside={
          page.hasChoice && (
            <IntervalSwitch
              label={words.plans.switchLabel}
              current={page.interval}
              options={[
                { value: "month", label: words.plans.month, to: `${carryOn("/", {}, page.carried)}#plans` },
                {
                  value: "year",
                  label: words.plans.year,
                  note: words.plans.yearNote(page.monthsLess),
                  to: `${carryOn("/", { interval: "year" }, page.carried)}#plans`,
                },
              ]}
            />
          )
        }
      >
        <LandingPlans page={page} words={words.plans} />
      </PageSection>
      <PageSection id="questions" title={words.questions.title}>
        <Questions items={words.questions.items} />
      </PageSection>
    </WidePage>
  );
}

/** The one action of the first screen: the first paid plan that is open, the queue, or the account that is there already. */
function firstStep(page: Route.ComponentProps["loaderData"], words: (typeof landingWords)["en"]) {
  if (page.isSignedIn)
    return {
      action: (
        <LinkButton kind="primary" to="/settings">
          {words.toAccount}
        </LinkButton>
      ),
      note: page.isLeaving ? words.leaving : undefined,
    };
  if (page.gate === "signup")
    return {
      action: (
        <LinkButton kind={page.list === "full" ? "quiet" : "primary"} to={carryOn("/waitlist", {}, page.carried)}>
          {page.list === "full" ? words.waitlistFull : words.joinSignUp}
        </LinkButton>
      ),
      note: page.list === "full" ? words.fullNote : words.joinNote,
    };
  const first = page.offers.find((offer) => offer.price && offer.state === "open") ?? page.offers[0];
  if (!first) return { action: null };
  // Without a free plan nothing may be open.
  if (first.state === "behind-gate") {
    const [kind, label] =
      page.list === "full"
        ? (["quiet", words.waitlistFull] as const)
        : (["primary", words.plans.gated(first.name)] as const);
    return {
      action: (
        <LinkButton kind={kind} to={carryOn("/waitlist", {}, page.carried)}>
          {label}
        </LinkButton>
      ),
    };
  }
  if (first.state === "not-on-sale") return { action: null, note: words.plans.notOnSale };
  return {
    action: (
      <LinkButton kind="primary" to={carryOn("/signup", { plan: first.id, interval: first.interval }, page.carried)}>
        {words.start(first.name)}
      </LinkButton>
    ),
    note: first.price
      ? words.startNote(
          formatMoney(first.price, page.locale),
          first.interval === "year" ? words.plans.perYear : words.plans.perMonth,
          page.withdrawalDays,
        )
      : undefined,
  };
}
