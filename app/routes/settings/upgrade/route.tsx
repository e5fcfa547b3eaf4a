import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { isInterval } from "#app/modules/catalogue/rules.ts";
import { reviewPath } from "#app/core/page-paths.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/route";
import { offerRefusalStatus, type OfferRefusal, upgradeMessages, changeMessages } from "./messages.ts";
import { ChoosePlan } from "./choose-plan.tsx";
import { confirmChoice, useCard } from "./actions.ts";
import { ConfirmChange, headChange } from "./change.tsx";
import { IntervalChoice } from "./interval-choice.tsx";
import { OpenChoice, RefusedForm, RefusedOffer, Withdrawn } from "./refusal.tsx";
import { showChoice } from "./show-choice.ts";
import { sayOfferRefusal } from "./say-refusal.ts";
import { ConfirmStart } from "./start.tsx";
import type { UpgradePage, RunningUpgradePage } from "./page-data.ts";
import { upgradeForm } from "./form.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => [
  { title: pageTitle(loaderData ? headingOf(loaderData, headings).title : headings.upgrade.title, matches) },
];

const headings = { upgrade: upgradeMessages.en, change: changeMessages.en };

/** The heading of a choice's review, or of the plans to choose from. */
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
  const page = await showChoice(app, account, buyer, choice);
  const refusal = page.offer?.kind === "refused" ? page.offer.refusal : null;
  const status = refusal ? offerRefusalStatus[refusal.reason] : 200;
  return data(page, status === 503 || status === 429 ? answerWith(status, refusal) : undefined);
}

function answerWith(status: number, refusal: OfferRefusal | null) {
  return { status, headers: refusal && "seconds" in refusal ? { "Retry-After": String(refusal.seconds) } : undefined };
}

/** Revalidates after a refusal, too, so that the current quote replaces the outdated one. */
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
  const isShownAnyway = url.pathname + url.search === path && confirmed.reason !== "price-differs";
  const buyer = isShownAnyway ? null : await findBuyer(app, viewer.account.id);
  const shown = buyer && (await showChoice(app, viewer.account, buyer, { planId, interval }));
  // A plan that can't be had at the shown price isn't offered again, and others are.
  const page = shown && confirmed.reason === "price-differs" ? { ...shown, offer: null } : shown;
  return data(
    { refusal: sayOfferRefusal(confirmed), page },
    answerWith(offerRefusalStatus[confirmed.reason], confirmed),
  );
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
      {page.open && <OpenChoice open={page.open} />}
      {page.friendText && <Notice kind="info">{page.friendText}</Notice>}
      <IntervalChoice page={page} />
      <Choice page={page} />
    </SettingsPage>
  );
}

/** An unconfirmed payment and a withdrawal have notices of their own, whatever was chosen. */
function isRefusedElse(offer: UpgradePage["offer"]): offer is Extract<UpgradePage["offer"], { kind: "refused" }> {
  return offer?.kind === "refused" && !["payment-unconfirmed", "plan-withdrawn"].includes(offer.refusal.reason);
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
