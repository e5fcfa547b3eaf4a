import { formatCalendarDay } from "#app/core/time/calendar.ts";
import { href, redirect } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { readCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { hashToken } from "#app/core/hash.ts";
import { readId } from "#app/core/id.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { isAccountClosed, typedBefore } from "#app/modules/accounts/rules.ts";
import { readClosing } from "#app/modules/closing/reads/read-closing.server.ts";
import { restoreMs } from "#app/modules/closing/rules.ts";
import { dataForm } from "./form.ts";
import { dataOfFeatures } from "#app/features.ts";
import { dataSentence } from "#app/modules/catalogue/data-sentence.rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { AccountPage } from "../account-forms/account-page.tsx";
import { answerForm } from "#app/http/forms/answer-form.ts";
import { answerSensitive } from "../account-forms/answers.ts";
import { closeAccount } from "#app/modules/closing/commands/close-account.server.ts";
import { restoreAccount } from "#app/modules/closing/commands/restore-account.server.ts";
import type { Route } from "./+types/route";
import { AllMyData, CloseAccount } from "./closing.tsx";
import { dataMessages } from "./messages.ts";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(dataMessages.en.title, matches) }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer: found } = signedIn(context);
  const reads = readClosing(app, accountId, {
    proof: readId("req", url.searchParams.get("continue")),
    browserHash: await hashToken(readCookie(request, "browser") ?? ""),
  });
  const [{ running, refund, proof, hasOpenWithdrawal, withdrawLastDay, isPaying }, viewer] = await Promise.all([
    reads,
    found,
  ]);
  // A closed account's own page has the export.
  if (isAccountClosed(viewer.account)) throw redirect(href("/settings"), 303);
  return {
    data: app.product.dataWhenClosed ?? (running && dataSentence(app.product, app.clock(), viewer.account)),
    planName: running && planName(app.product, running.planId),
    restoreDays: restoreMs / dayMs,
    hasOpenWithdrawal,
    withdrawUntil: withdrawLastDay && formatCalendarDay(withdrawLastDay, viewer.account),
    refund: refund && {
      amount: formatMoney(refund, viewer.account.locale),
      until: formatDay(refund.noticeUntil, viewer.account),
    },
    isPaying,
    exported: dataOfFeatures(app.product, "exported"),
    erased: dataOfFeatures(app.product, "erased"),
    typed: typedBefore(viewer, proof, app.clock()),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  return answerForm(readForm(context, dataForm), {
    delete: async (fields) => answerSensitive({ app, request, viewer, fields }, await closeAccount(app, viewer)),
    restore: async (fields) => answerSensitive({ app, request, viewer, fields }, await restoreAccount(app, viewer)),
  });
}

export default function DataPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refusal = actionData ?? null;
  const messages = useMessages(dataMessages);
  return (
    <AccountPage title={messages.title} lead={messages.lead} typed={page.typed} refusal={refusal}>
      <AllMyData kind="primary" ofFeatures={page.exported} />
      <CloseAccount
        planName={page.planName}
        data={page.data}
        restoreDays={page.restoreDays}
        hasOpenWithdrawal={page.hasOpenWithdrawal}
        withdrawUntil={page.withdrawUntil}
        refund={page.refund}
        isPaying={page.isPaying}
        isOpen={page.typed.intent === "delete"}
        ofFeatures={page.erased}
      />
    </AccountPage>
  );
}
