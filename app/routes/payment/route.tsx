import { data, redirect } from "react-router";
import { appContext, viewerContext } from "#app/http/contexts.ts";
import { findPayment } from "#app/modules/checkout/reads/find-payment.server.ts";
import { isOpen, isPaymentStatus, newestOrderMs, type Order, statusOf } from "#app/modules/orders/rules.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { showDiscount } from "#app/modules/referrals/reads/show-discount.server.ts";
import { segmentPath } from "#app/modules/catalogue/rules.ts";
import { followMoney, handleAndFollow } from "#app/workflows/after-payment.ts";
import { pageTitle } from "#app/http/page-title.ts";
import { LinkButton } from "#app/ui/components/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import type { Route } from "./+types/route";
import { headPayment, type PaymentPage, type PaymentTexts, paymentMessages } from "./messages.ts";
import { PaymentResult } from "./result.tsx";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  {
    title: pageTitle(headOf(paymentMessages.en, loaderData).title, matches),
  },
  { name: "robots", content: "noindex" },
];

/**
 * The path is a claim, never a fact: the page loads the person's own order and leads to the status that is true. While the provider
 * doesn't answer there is none to lead to: what was known last stands here, since the next page would wait for it just as long.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  if (!isPaymentStatus(params.status)) throw data(null, { status: 404 });
  const app = context.get(appContext);
  const viewer = await context.get(viewerContext);
  const signInPath = `/login?${new URLSearchParams({ redirectTo: url.pathname + url.search })}`;
  const found = viewer && (await findPayment(app, viewer.account.id, url.searchParams.get("order")));
  if (!viewer || !found) return { signInPath, isSignedIn: viewer !== null, payment: null };
  if (found.isFresh) app.later(followMoney(app, viewer.account.id));
  if (found.rest) app.later(handleAndFollow(app, found.rest));
  const { product } = app;
  const { order, hasPlan, card, isCertain, waitSeconds } = found;
  const status = statusOf[order.state];
  // While nothing is known there is no status to lead to: the page stays where it is, whatever the address claims.
  if (isCertain && !order.isUnconfirmed && status !== params.status)
    throw redirect(`/payment/${status}?order=${order.id}`, 303);
  const isLeaving = viewer.account.state === "leaving";
  const payment = {
    order,
    kind: order.kind,
    status,
    urlStatus: params.status,
    page: pageOf(order, { hasPlan: hasPlan && !isLeaving, now: app.clock() }),
    looks: readLooks(url.searchParams.get("looks")),
    isLeaving,
    isCertain,
    waitSeconds,
    card,
    discount: status === "success" ? await showDiscount(app, viewer.account.id, order) : null,
    product: product.name,
    what: whatIsSold(product, order.planId),
    planPath: segmentPath(product, "plan"),
    support: product.support,
    account: { locale: viewer.account.locale, timeZone: viewer.account.timeZone },
  } as const;
  return { signInPath, isSignedIn: true, payment };
}

/** How often a browser without scripts has looked already, which its next look is later for. */
function readLooks(text: string | null): number {
  return Math.min(looksMax, Math.max(0, Math.floor(Number(text)) || 0));
}

/** Refreshes without scripts that are counted; the wait doesn't grow after that. */
const looksMax = 10;

function pageOf(order: Order, { hasPlan, now }: { hasPlan: boolean; now: number }): PaymentPage {
  if (order.failure === "mismatch") return "mismatch";
  const status = statusOf[order.state];
  // Nobody is told that nothing was charged, or offered to pay, on the word of what was known before they paid.
  if (order.isUnconfirmed) return "unconfirmed";
  if (status === "success" && order.dispute === "lost") return "returned";
  const isGone = !hasPlan || order.state === "refunded";
  if (status === "success" && (isGone || now - (order.paidAt ?? now) > newestOrderMs)) return "past";
  // Of a first payment it makes no difference: its page is left, or given up.
  return status === "cancelled" && isOpen(order.state) ? "open" : status;
}

export default function Payment({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(paymentMessages);
  const { signedOut } = messages;
  if (page.payment) return <PaymentResult payment={page.payment} />;
  return (
    <FormPage {...headOf(messages, page)}>
      {page.isSignedIn ? (
        <LinkButton wide to="/settings/orders">
          {signedOut.orders}
        </LinkButton>
      ) : (
        <LinkButton kind="primary" wide to={page.signInPath}>
          {signedOut.button}
        </LinkButton>
      )}
    </FormPage>
  );
}

/** Not there and not theirs are the same to whoever is signed in. */
function headOf(messages: PaymentTexts, page: Route.ComponentProps["loaderData"] | undefined) {
  if (page?.payment) return headPayment(messages, page.payment);
  return page?.isSignedIn ? messages.unknown : messages.signedOut;
}
