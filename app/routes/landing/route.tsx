import { data, href } from "react-router";
import { appContext, sessionCookieContext, viewerContext } from "#app/http/request/contexts.ts";
import { readCookie } from "#app/http/request/cookies.ts";
import { formatPrice } from "#app/core/money/money.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { findSubscriptionState } from "#app/modules/billing/orders/reads/find-subscription-state.server.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { freePlan, isInterval } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { intervalsSold, monthsLess, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { recordVisit } from "#app/modules/referrals/commands/record-visit.server.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { IntervalSwitch } from "#app/ui/components/forms/interval-switch.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { Hero, PageSection } from "#app/ui/components/layout/hero.tsx";
import { WidePage } from "#app/ui/components/layout/page-shell.tsx";
import { Questions } from "#app/ui/components/data/questions.tsx";
import { Steps } from "#app/ui/components/layout/steps.tsx";
import { socialPicture } from "#app/http/page/social-picture.ts";
import type { Route } from "./+types/route";
import { describeProduct } from "./describe-product.ts";
import { gatePages } from "#app/features.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { LandingPicture } from "#app/product/landing/picture.tsx";
import { findSetUpProgress } from "./find-set-up-progress.server.ts";
import { FirstPaymentCard } from "./first-payment-card.tsx";
import { saySetUpProgress } from "./say-set-up-progress.ts";
import { Join, JoinNote } from "./join.tsx";
import { carryOn, LandingPlans } from "./plan-cards.tsx";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  { title: loaderData?.title },
  { tagName: "link", rel: "canonical", href: loaderData?.canonical },
  ...socialPicture(loaderData?.canonical, "landing", loaderData?.description, matches),
  { property: "og:title", content: loaderData?.title },
  { "script:ld+json": loaderData && describeProduct(loaderData, landingMessages.en.questions.items) },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const cookie = context.get(sessionCookieContext);
  // If this fails, the page only lacks the marks on the viewer's own plan and on plans that aren't on sale. For visitors it doesn't depend on
  // the database; they see on the page of plans what isn't on sale.
  const reads = cookie && findSubscriptionState(app, cookie.accountId).catch(app.report);
  const [viewer, state, progress] = await Promise.all([
    context.get(viewerContext),
    reads,
    findSetUpProgress(app, readCookie(request, "operator")),
  ]);
  const wanted = url.searchParams.get("interval");
  const sold = intervalsSold(app.product);
  const interval = isInterval(wanted) && sold.includes(wanted) ? wanted : (sold[0] ?? "month");
  const visit = await recordVisit(app, request, url.searchParams.get("ref"), viewer?.account.id ?? null);
  const page = {
    name: app.product.name,
    title: `${app.product.name}: ${app.product.tagline}`,
    description: app.product.description,
    canonical: `${app.origin}/`,
    interval,
    hasChoice: sold.length > 1,
    locale: viewer?.account.locale ?? app.product.locale,
    offers: offersOf(app.product, app.gate, interval, {
      isOpen: app.payments !== null,
      unsold: state?.unsold ?? new Set(),
    }),
    gate: app.gate.kind,
    isFull: app.gate.kind !== "none" && gatePages().isFull(app.product),
    isAccountClosed: viewer !== null && isAccountClosed(viewer.account),
    isSignedIn: viewer !== null,
    ownPlanId: viewer ? (state?.running?.planId ?? freePlan(app.product)?.id ?? null) : null,
    /** The payment being processed, and its plan. */
    underWay: viewer && state?.underWay ? { planId: state.underWay.planId, path: paymentPath(state.underWay) } : null,
    planPath: segmentPath(app.product, "plan"),
    withdrawalDays: app.product.withdrawalDays,
    monthsLess: monthsLess(app.product),
    friend: visit.offer,
    carried: visit.carried,
    friendDays: app.product.referral.attributionDays,
    progress: progress && saySetUpProgress(app, progress),
  };
  const headers = new Headers(progress ? { "Cache-Control": "no-store" } : {});
  if (visit.cookie) headers.set("Set-Cookie", visit.cookie);
  return data(page, { headers });
}

export default function Landing({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(landingMessages);
  return (
    <WidePage>
      {page.progress && <FirstPaymentCard progress={page.progress} />}
      {page.friend && page.friend.amountMinor > 0 && (
        <Notice kind="info">{messages.friend(formatPrice(page.friend, page.locale), page.friendDays)}</Notice>
      )}
      <Hero
        title={messages.heading}
        lead={messages.lead}
        {...firstStep(page, messages)}
        picture={<LandingPicture label={messages.picture.label} messages={messages.picture.messages} />}
      />
      <PageSection title={messages.how.title}>
        <Steps steps={messages.how.steps} />
      </PageSection>
      <PageSection
        id="plans"
        title={messages.plans.title}
        lead={messages.plans.lead}
        aside={
          page.hasChoice && (
            <IntervalSwitch
              label={messages.plans.switchLabel}
              current={page.interval}
              options={[
                { value: "month", label: messages.plans.month, to: `${carryOn(href("/"), {}, page.carried)}#plans` },
                {
                  value: "year",
                  label: messages.plans.year,
                  note: messages.plans.yearNote(page.monthsLess),
                  to: `${carryOn(href("/"), { interval: "year" }, page.carried)}#plans`,
                },
              ]}
            />
          )
        }
      >
        <LandingPlans page={page} messages={messages.plans} />
      </PageSection>
      <PageSection id="questions" title={messages.questions.title}>
        <Questions items={messages.questions.items} />
      </PageSection>
    </WidePage>
  );
}

/** The primary action of the hero: the first available paid plan, where to wait for one, or the existing account. */
function firstStep(page: Route.ComponentProps["loaderData"], messages: (typeof landingMessages)["en"]) {
  if (page.isSignedIn)
    return {
      action: (
        <LinkButton kind="primary" to={href("/settings")}>
          {messages.toAccount}
        </LinkButton>
      ),
      note: page.isAccountClosed ? messages.leaving : undefined,
    };
  if (page.gate === "signup") return { action: <Join page={page} />, note: <JoinNote isFull={page.isFull} /> };
  const first =
    page.offers.find((offer) => offer.price && offer.state === "open") ??
    page.offers.find(({ state }) => state !== "price-differs");
  if (!first) return { action: null };
  // Without a free plan there may be nothing available.
  if (first.state === "behind-gate") return { action: <Join page={page} plan={first.name} /> };
  if (first.state === "not-on-sale") return { action: null, note: messages.plans.notOnSale };
  return {
    action: (
      <>
        <LinkButton
          kind="primary"
          to={carryOn(href("/signup"), { plan: first.id, interval: first.interval }, page.carried)}
        >
          {messages.start(first.name)}
        </LinkButton>
        {first.price && page.offers.some((offer) => offer.price === null) && (
          <LinkButton to={carryOn(href("/signup"), {}, page.carried)}>{messages.startFree}</LinkButton>
        )}
      </>
    ),
    note: first.price
      ? messages.startNote(
          formatPrice(first.price, page.locale),
          first.interval === "year" ? messages.plans.perYear : messages.plans.perMonth,
          page.withdrawalDays,
        )
      : undefined,
  };
}
