import { data, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { writeQuote } from "#app/domain/orders/quote.rules.ts";
import { upgradeForm } from "#app/domain/orders/rules.ts";
import { reduced, startCheckout } from "#app/domain/orders/start-checkout.server.ts";
import { findPlan, freePlan, isInterval, offersOf, segmentPath } from "#app/domain/product/rules.ts";
import { findStanding } from "#app/domain/referrals/find-standing.server.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { pageTitle } from "#app/request/page-title.ts";
import { readForm } from "#app/request/read-form.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import type { Route } from "./+types/upgrade";
import { checkoutRefusalStatus, sayCheckoutRefusal, upgradeWords } from "./upgrade.words.ts";
import { ChoosePlan, ConfirmPlan } from "./upgrade-cards.tsx";

export { clientAction } from "#app/request/keep-form.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(upgradeWords.en.title, matches) }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account } = signedIn(context);
  const { product, gate } = app;
  const asked = url.searchParams.get("interval");
  const interval = isInterval(asked) ? asked : "month";
  const { running, ...reductions } = await findStanding(app, account.id);
  const offers = offersOf(product, gate, interval, app.payments !== null);
  const chosen = offers.find((offer) => offer.id === url.searchParams.get("plan")) ?? null;
  const now = chosen?.price ? reduced(chosen.price, reductions) : null;
  return {
    account,
    interval,
    offers,
    chosen: chosen?.price && chosen.state === "open" && !running ? chosen : null,
    now,
    quote: now && writeQuote({ ...now, quotedAt: app.clock(), prorationAt: null }),
    current: findPlan(product, running?.planId) ?? freePlan(product),
    isPaying: running !== null,
    planPath: segmentPath(product, "plan"),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request, upgradeForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { plan: planId, interval, intent, quote } = form.value;
  if (intent === "quote") return redirect(`/settings/upgrade?${new URLSearchParams({ plan: planId, interval })}`, 303);
  const { account } = signedIn(context);
  const reductions = await findStanding(app, account.id);
  const started = await startCheckout(app, account, { planId, interval, quote, ...reductions });
  if (started.ok) return redirect(started.value.url, 303);
  if (started.refusal.reason === "payment-in-process") {
    return redirect(`/payment/processing?order=${started.refusal.orderId}`, 303);
  }
  return data(started.refusal, { status: checkoutRefusalStatus(started.refusal) });
}

export default function Upgrade({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const words = useWords(upgradeWords);
  const isAboutForm = refusal && "status" in refusal;
  return (
    <SettingsPage
      title={page.chosen ? words.confirm.title(page.chosen.name) : words.title}
      lead={page.chosen ? words.confirm.lead : words.lead(page.current.name)}
    >
      {refusal && isAboutForm && <FormRefusalNotice refusal={refusal} problems={words.problems} />}
      {refusal && !isAboutForm && (
        <Notice kind="problem" title={words.trouble} live>
          {sayCheckoutRefusal(words, refusal)}
        </Notice>
      )}
      {page.chosen ? <ConfirmPlan page={{ ...page, chosen: page.chosen }} /> : <ChoosePlan page={page} />}
    </SettingsPage>
  );
}
