import { appContext } from "#app/http/request/contexts.ts";
import { readCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { restoreForm } from "./form.ts";
import { usageMonthOf } from "#app/modules/billing/usage/rules.ts";
import { Link } from "#app/ui/components/link.tsx";
import { sayWithdrawal } from "../say-withdrawal.ts";
import { isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { offerPasskey } from "#app/modules/accounts/passkeys/reads/offer-passkey.server.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { AccountPage } from "../account-forms/account-page.tsx";
import { answerForm } from "#app/http/forms/answer-form.ts";
import { answerSensitive } from "../account-forms/answers.ts";
import { restoreAccount } from "#app/modules/closing/commands/restore-account.server.ts";
import type { AccountRefusal } from "../account-forms/account-form-refused.tsx";
import { dataOfFeatures } from "#app/features.ts";
import type { Route } from "./+types/route";
import { Attention } from "./attention.tsx";
import { ClosedAccountPage } from "./closed-account.tsx";
import { gettingStartedMessages } from "#app/http/page/getting-started.messages.ts";
import { GettingStarted } from "#app/http/page/getting-started.tsx";
import { overviewMessages } from "./messages.ts";
import { PasskeyOffer } from "./passkey-offer.tsx";
import { overviewFacts } from "./overview-facts.ts";
import { PageRows } from "./page-rows.tsx";
import { PlanCard } from "./plan.tsx";
import { readOverview } from "./read-overview.server.ts";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(overviewMessages.en.title, matches) }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer: found } = signedIn(context);
  const now = app.clock();
  const period = { month: usageMonthOf(now, app.product.timeZone), now };
  const [rows, viewer] = await Promise.all([readOverview(app, accountId, period), found]);
  const { account } = viewer;
  if (isAccountClosed(account)) {
    const isOver = (account.restorableUntil ?? 0) <= now;
    const declared = rows.withdrawals.find(isUnanswered);
    const exported = dataOfFeatures(app.product, "exported");
    return { account, isOver, exported, withdrawal: declared ? sayWithdrawal(declared, account, app.product) : null };
  }
  const isOffered = rows.passkeys.length === 0 && readCookie(request, "declined") === null;
  return {
    account,
    // Offered while the sign-in is recent, which an account without passkeys did by code.
    passkeyOffer: isOffered ? await offerPasskey(app, viewer, rows.passkeys) : null,
    ...overviewFacts(app.product, viewer, rows, { ...period, gate: app.gate }),
  };
}

/** Restores a closed account; the other forms of the account are accepted by their own pages. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  return answerForm(readForm(context, restoreForm), {
    restore: async (fields) => answerSensitive({ app, request, viewer, fields }, await restoreAccount(app, viewer)),
  });
}

export default function Overview({ loaderData: page, actionData }: Route.ComponentProps) {
  const refusal = actionData ?? null;
  if (page.isOver !== undefined) return <ClosedAccountPage page={page} refusal={refusal} />;
  return <ActiveOverview page={page} refusal={refusal} />;
}

/** The key is shown on the page of devices, after re-authentication. */
function WayToKey({ to }: { to: string }) {
  const messages = useMessages(gettingStartedMessages);
  return <Link to={to}>{messages.toKey}</Link>;
}

type ActiveOverviewProps = {
  page: Exclude<Route.ComponentProps["loaderData"], { isOver: boolean }>;
  refusal: AccountRefusal | null;
};

function ActiveOverview({ page, refusal }: ActiveOverviewProps) {
  const messages = useMessages(overviewMessages);
  return (
    <AccountPage title={messages.title} lead={messages.lead(page.account.email)} refusal={refusal}>
      <Attention items={page.attention} />
      <PlanCard plan={page.plan} meters={page.meters} withdrawals={page.withdrawals} />
      {page.passkeyOffer && <PasskeyOffer offer={page.passkeyOffer} />}
      {page.start && (
        <GettingStarted start={page.start} licenceKey={page.start.keyPath && <WayToKey to={page.start.keyPath} />} />
      )}
      <PageRows label={messages.pages.label} rows={page.rows} />
    </AccountPage>
  );
}
