import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import type { App } from "#app/app.ts";
import { appContext } from "#app/http/request/contexts.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { sayExcess } from "../say-excess.ts";
import { findExcess } from "#app/modules/devices/reads/find-excess.server.ts";
import { upgradeForm } from "#app/modules/orders/rules.ts";
import { changesIntervalAlone, checkChange } from "#app/modules/subscriptions/change.rules.ts";
import { needsNewCheckout, nextCharge } from "#app/modules/subscriptions/rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { dataSentence } from "#app/modules/catalogue/data-sentence.rules.ts";
import { findPlan, isInterval, priceMinorOf, priceOf } from "#app/modules/catalogue/rules.ts";
import { reviewPath, segmentPath } from "#app/core/page-paths.ts";
import { intervalsSold, monthsLess, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { findBuyer, type Buyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/route";
import { offerRefusalStatus, type OfferRefusal, upgradeMessages } from "./messages.ts";
import { ChoosePlan } from "./choose-plan.tsx";
import { confirmChoice, useCard } from "./actions.ts";
import { ConfirmChange, headChange } from "./change.tsx";
import { IntervalChoice } from "./interval-choice.tsx";
import { OpenChoice, RefusedForm, RefusedOffer, Withdrawn } from "./refusal.tsx";
import { changeMessages } from "./change.messages.ts";
import { rankFacts } from "./rank.ts";
import { beginningOf } from "./beginning-of.ts";
import { sayOpen } from "./say-open.ts";
import { ConfirmStart } from "./start.tsx";
import type { UpgradePage, RunningUpgradePage } from "./page-data.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => [
  { title: pageTitle(loaderData ? headingOf(loaderData, headings).title : headings.upgrade.title, matches) },
];

const headings = { upgrade: upgradeMessages.en, change: changeMessages.en };

/** Of the review of a choice, or of the plans to choose from. */
function headingOf(page: UpgradePage, { upgrade, change }: typeof headings): { title: string; lead: string } {
  const { offer, chosen, current } = page;
  const running = runningPage(page);
  const headingOfChange = running && headChange(change, running);
  if (offer?.kind === "start" && chosen !== null) {
    const isAgain = page.isPaused && chosen.id === current?.id;
    const title = isAgain ? upgrade.confirm.titleAgain : upgrade.confirm.title;
    return { title: title(chosen.name), lead: upgrade.confirm.lead };
  }
  if (headingOfChange) return headingOfChange;
  return current
    ? { title: upgrade.title, lead: upgrade.lead(current.nameInText) }
    : { title: upgrade.titleNoPlan, lead: upgrade.leadNoPlan };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const interval = url.searchParams.get("interval");
  const choice = { planId: url.searchParams.get("plan"), interval: isInterval(interval) ? interval : null };
  const { accountId, viewer } = signedIn(context);
  const app = context.get(appContext);
  const [buyer, { account }] = await Promise.all([findBuyer(app, accountId), viewer]);
  const page = await show(app, account, buyer, choice);
  const refusal = page.offer?.kind === "refused" ? page.offer.refusal : null;
  const status = refusal ? offerRefusalStatus[refusal.reason] : 200;
  return data(page, status === 503 || status === 429 ? answerWith(status, refusal) : undefined);
}

function answerWith(status: number, refusal: OfferRefusal | null) {
  return { status, headers: refusal && "seconds" in refusal ? { "Retry-After": String(refusal.seconds) } : undefined };
}

async function show(
  app: App,
  account: Account,
  known: Buyer,
  choice: { planId: string | null; interval: Interval | null },
) {
  const { product, gate } = app;
  const { buyer, interval, offer } = await offerPlan(app, account.id, known, choice);
  const { running, unconfirmed } = buyer;
  const open = unconfirmed ?? buyer.open;
  const chosen = findPlan(product, choice.planId);
  const isOffered = chosen && running && offer && offer.kind !== "refused";
  const excess = isOffered ? await findExcess(app, account.id, chosen) : [];
  const current = namedPlan(product, running?.planId);
  const blocked =
    running && !unconfirmed && !buyer.isWithdrawn && !needsNewCheckout(running)
      ? checkChange(running, "now", app.clock())
      : null;
  const currency = running?.currency ?? product.currency;
  return {
    account,
    interval,
    hasChoice: intervalsSold(product).length > 1,
    currency,
    monthsLess: monthsLess(product),
    offers: offersOf(product, buyer.gate, interval, app.payments !== null),
    list: product.waitlist,
    isOnWaitlist: buyer.isOnWaitlist,
    // Invited customers are shown that the plan is by invitation.
    invitedTo: gate.kind === "plan" && buyer.gate.kind === "none" ? gate.planId : null,
    offer,
    chosen,
    dataWhenSmaller: dataSentence(product, beginningOf(offer, app.clock()), account),
    excess: excess.map((each) => sayExcess(each, account.locale)),
    chosenPrice: chosen && priceOf({ ...product, currency }, chosen, interval),
    running,
    current,
    ...rankFacts(product, current, chosen),
    /** What a scheduled change of the billing period alone would end; null: another plan, or nothing, is scheduled. */
    intervalToKeep: running && changesIntervalAlone(running) ? running.interval : null,
    /** The renewal that is about to be charged, whatever is chosen now. */
    coming: running?.comingAt ? nextCharge(running, priceMinorOf.bind(null, product), buyer.creditMinor) : null,
    pending: running?.pendingPlanId ? namedPlan(product, running.pendingPlanId) : null,
    open: open && (open.state !== "draft" || open.isUnconfirmed) ? sayOpen(product, open) : null,
    isPaused: running?.state === "paused",
    isWithdrawn: buyer.isWithdrawn,
    blocked,
    isDueShown: blocked?.reason === "payment-due",
    planPath: segmentPath(product, "plan"),
    withdrawalDays: product.withdrawalDays === "off" ? null : product.withdrawalDays,
  };
}

/** Also after a refusal: the current quote replaces the outdated one. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate || actionStatus === 409;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = readForm(context, upgradeForm);
  if (!form.ok) return data({ form: form.refusal }, { status: form.refusal.status });
  const { plan: planId, interval, intent, quote } = form.value;
  const path = reviewPath({ planId, interval });
  if (intent === "quote") return redirect(path, 303);
  const viewer = await signedIn(context).viewer;
  const confirmed =
    intent === "use-card"
      ? await useCard(app, viewer, path)
      : await confirmChoice(app, viewer, { planId, interval, quote });
  if ("to" in confirmed) {
    const headers = confirmed.flash ? { "Set-Cookie": flashCookie(confirmed.flash) } : undefined;
    return redirect(confirmed.to, { status: 303, headers });
  }
  if (confirmed.reason === "proof-stale") {
    const action = intent === "use-card" ? "open-portal" : "change-plan";
    return askForReauthentication(app, request, viewer, { action, to: path });
  }
  // The current quote is shown below, also when the form was sent to a URL without the choice.
  const isShownAnyway = url.pathname + url.search === path;
  const buyer = isShownAnyway ? null : await findBuyer(app, viewer.account.id);
  const page = buyer && (await show(app, viewer.account, buyer, { planId, interval }));
  return data({ refusal: confirmed, page }, answerWith(offerRefusalStatus[confirmed.reason], confirmed));
}

export default function Upgrade({ loaderData, actionData: answer }: Route.ComponentProps) {
  const texts = { upgrade: useMessages(upgradeMessages), change: useMessages(changeMessages) };
  const page = (answer && "page" in answer ? answer.page : null) ?? loaderData;
  const { offer } = page;
  return (
    <SettingsPage {...headingOf(page, texts)}>
      {answer && "form" in answer && <RefusedForm refusal={answer.form} />}
      {answer && "retryAt" in answer && <RefusedForm refusal={answer} />}
      {answer && "refusal" in answer && <RefusedOffer refusal={answer.refusal} page={page} to="button" />}
      {!answer && isRefusedElse(offer) && <RefusedOffer refusal={offer.refusal} page={page} />}
      {!answer && !offer && page.blocked && <RefusedOffer refusal={page.blocked} page={page} to="none" />}
      {page.isWithdrawn && <Withdrawn planPath={page.planPath} />}
      {page.open && <OpenChoice page={{ ...page, open: page.open }} />}
      <IntervalChoice page={page} />
      <Choice page={page} />
    </SettingsPage>
  );
}

/** An unconfirmed payment has its own notice, for any choice. */
function isRefusedElse(offer: UpgradePage["offer"]): offer is Extract<UpgradePage["offer"], { kind: "refused" }> {
  return offer?.kind === "refused" && offer.refusal.reason !== "payment-unconfirmed";
}

function runningPage(page: UpgradePage): RunningUpgradePage | null {
  const { running, current } = page;
  return running && current && { ...page, running, current };
}

function Choice({ page }: { page: UpgradePage }) {
  const { offer, chosen } = page;
  const running = runningPage(page);
  if (!offer || !chosen || offer.kind === "refused") return <ChoosePlan page={page} />;
  if (offer.kind === "start") return <ConfirmStart page={page} plan={chosen} offer={offer} />;
  return running && <ConfirmChange page={running} plan={chosen} offer={offer} />;
}
