import { data, Form, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { flashCookie } from "#app/request/cookies.ts";
import { changeCancellation, openPortal } from "#app/domain/plans/change-cancellation.server.ts";
import { planForm } from "#app/domain/plans/rules.ts";
import { retryPayment } from "#app/domain/orders/retry-payment.server.ts";
import { statusOf } from "#app/domain/orders/rules.ts";
import { findRunningSubscription } from "#app/domain/plans/store.server.ts";
import { findPlan, freePlan, segmentPath } from "#app/domain/product/rules.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { pageTitle } from "#app/request/page-title.ts";
import { readForm } from "#app/request/read-form.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import type { Route } from "./+types/plan";
import { planWords, sayPlanRefusal } from "./plan.words.ts";
import { PlanFacts } from "./plan-facts.tsx";

export { clientAction } from "#app/request/keep-form.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(planWords.en.title, matches) }];

export async function loader({ context }: Route.LoaderArgs) {
  const { db, product } = context.get(appContext);
  const { account } = signedIn(context);
  const subscription = await findRunningSubscription(db, account.id);
  return { account, subscription, plan: findPlan(product, subscription?.planId) ?? freePlan(product) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { account } = signedIn(context);
  const form = await readForm(request, planForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent } = form.value;
  const path = segmentPath(app.product, "plan");
  if (intent === "update-card") {
    const portal = await openPortal(app, account.id, path);
    return portal.ok
      ? redirect(portal.value.url, 303)
      : data(portal.refusal, { status: refusalStatus(portal.refusal) });
  }
  if (intent === "retry") {
    const tried = await retryPayment(app, account.id);
    return tried.ok
      ? redirect(`/payment/${statusOf[tried.value.state]}?order=${tried.value.id}`, 303)
      : data(tried.refusal, { status: refusalStatus(tried.refusal) });
  }
  const changed = await changeCancellation(app, account, intent);
  if (!changed.ok) return data(changed.refusal, { status: refusalStatus(changed.refusal) });
  const headers = { "Set-Cookie": flashCookie(flashes[intent]) };
  return redirect(path, { status: 303, headers });
}

const flashes = { cancel: "plan-cancelled", resume: "plan-resumed", "undo-change": "change-undone" } as const;

function refusalStatus({ reason }: { reason: string }): number {
  return reason === "provider-unreachable" || reason === "provider-refused" ? 503 : 409;
}

export default function PlanPage({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const words = useWords(planWords);
  return (
    <SettingsPage title={words.title} lead={words.lead(page.plan.name)}>
      {refusal && "status" in refusal && <FormRefusalNotice refusal={refusal} problems={words.problems} />}
      {refusal && !("status" in refusal) && (
        <Notice kind="problem" title={words.trouble} live>
          {sayPlanRefusal(words, refusal)}
        </Notice>
      )}
      {page.subscription ? <Running page={{ ...page, subscription: page.subscription }} /> : <OnFree page={page} />}
    </SettingsPage>
  );
}

type Page = Route.ComponentProps["loaderData"];
type RunningPage = Page & { subscription: NonNullable<Page["subscription"]> };

function OnFree({ page }: { page: Page }) {
  const { free } = useWords(planWords);
  return (
    <SectionCard
      title={free.title(page.plan.name)}
      footer={
        <LinkButton kind="primary" to="/settings/upgrade">
          {free.upgrade}
        </LinkButton>
      }
    >
      <p>{free.text}</p>
    </SectionCard>
  );
}

function Running({ page }: { page: RunningPage }) {
  const words = useWords(planWords);
  return (
    <>
      <SectionCard
        title={words.card}
        footer={
          <Form method="post" reloadDocument>
            <Button name="intent" value="update-card">
              {words.updateCard}
            </Button>
          </Form>
        }
      >
        <PlanFacts account={page.account} subscription={page.subscription} planName={page.plan.name} />
      </SectionCard>
      <SectionCard
        title={words.orders.title}
        footer={<LinkButton to="/settings/orders">{words.orders.link}</LinkButton>}
      >
        <p>{words.orders.text}</p>
      </SectionCard>
      <Ending page={page} />
    </>
  );
}

function Ending({ page }: { page: RunningPage }) {
  const words = useWords(planWords);
  const pending = usePending("intent", page.subscription.cancelsAt ? "resume" : "cancel");
  const { cancelsAt, periodEndsAt } = page.subscription;
  const says = cancelsAt ? words.resume : words.cancel;
  return (
    <SectionCard title={says.title} tone={cancelsAt ? "attention" : "plain"}>
      <p>
        <Moment at={cancelsAt ?? periodEndsAt} timeZone={page.account.timeZone} locale={page.account.locale} />
        {". "}
        {words.cancelText}
      </p>
      <Form method="post">
        <Button
          kind={cancelsAt ? "primary" : "danger"}
          name="intent"
          value={cancelsAt ? "resume" : "cancel"}
          pending={pending}
          pendingLabel={says.pending}
        >
          {says.button}
        </Button>
      </Form>
    </SectionCard>
  );
}
