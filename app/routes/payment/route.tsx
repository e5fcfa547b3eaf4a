import { readId } from "#app/core/id.ts";
import { data, redirect, href } from "react-router";
import { appContext, viewerContext } from "#app/http/request/contexts.ts";
import { isAccountClosed } from "#app/modules/accounts/rules.ts";
import { findPayment } from "#app/modules/billing/checkout/reads/find-payment.server.ts";
import { newestOrderMs, type Order } from "#app/modules/billing/orders/rules.ts";
import { isOpen, isPaymentStatus, paymentStatusOf, isRefundOwed } from "#app/modules/billing/orders/states.rules.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { sayDiscount } from "#app/routes/settings/orders/order/say-discount.ts";
import { sayWhenLocked } from "#app/routes/settings/say-when-locked.ts";
import { showDiscount } from "#app/modules/referrals/reads/show-discount.server.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { afterPayment, handleEventsAndFollowUp } from "#app/workflows/after-payment.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import type { Route } from "./+types/route";
import { headPayment, type PaymentPage, type PaymentTexts, paymentMessages } from "./messages.ts";
import { sayMismatch } from "./say-mismatch.ts";
import { PaymentResult } from "./result.tsx";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  {
    title: pageTitle(headOf(paymentMessages.en, loaderData).title, matches),
  },
  { name: "robots", content: "noindex" },
];

/**
 * The status in the path isn't trusted: the page loads the user's own order and redirects to its actual status. While Stripe doesn't
 * respond there is none to redirect to: the last known state is shown here, since the next page would wait for Stripe just as long.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  if (!isPaymentStatus(params.status)) throw data(null, { status: 404 });
  const app = context.get(appContext);
  const viewer = await context.get(viewerContext);
  const signInPath = `${href("/login")}?${new URLSearchParams({ redirectTo: url.pathname + url.search })}`;
  const found = viewer && (await findPayment(app, viewer.account.id, readId("ord", url.searchParams.get("order"))));
  if (!viewer || !found) return { signInPath, isSignedIn: viewer !== null, payment: null };
  if (found.isFresh) app.later(afterPayment(app, viewer.account.id));
  if (found.pendingSubject) app.later(handleEventsAndFollowUp(app, found.pendingSubject));
  const { product } = app;
  const { order, hasPlan, card, renewsAt, due, isCertain, waitSeconds } = found;
  const status = paymentStatusOf[order.state];
  // While the result is unknown there is no status to redirect to: the page is shown under any status in the path.
  if (isCertain && !order.isUnconfirmed && status !== params.status)
    throw redirect(`${href("/payment/:status", { status })}?order=${order.id}`, 303);
  const isOfClosedAccount = isAccountClosed(viewer.account);
  const discount = ["success", "processing"].includes(status)
    ? await showDiscount(app, viewer.account.id, order)
    : null;
  const payment = {
    order,
    kind: order.kind,
    status,
    urlStatus: params.status,
    page: pageOf(order, { hasPlan: hasPlan && !isOfClosedAccount, now: app.clock() }),
    looks: readLooks(url.searchParams.get("looks")),
    isAccountClosed: isOfClosedAccount,
    isOwed: isRefundOwed(order),
    mismatchText: sayMismatch(order, { hasPlan }),
    isCertain,
    waitSeconds,
    card,
    renewsAt,
    dueText: due && !isOfClosedAccount ? sayWhenLocked(product, viewer.account, due) : null,
    discount: discount && sayDiscount(discount, viewer.account.locale),
    product: product.name,
    what: whatIsSold(product, order.planId),
    planPath: segmentPath(product, "plan"),
    support: product.support,
    account: { locale: viewer.account.locale, timeZone: viewer.account.timeZone },
  } as const;
  return { signInPath, isSignedIn: true, payment };
}

/** How often a browser without scripts has refreshed already, which lengthens the next interval. */
function readLooks(text: string | null): number {
  return Math.min(looksMax, Math.max(0, Math.floor(Number(text)) || 0));
}

/** Refreshes without scripts that are counted; the interval doesn't grow after that. */
const looksMax = 10;

function pageOf(order: Order, { hasPlan, now }: { hasPlan: boolean; now: number }): PaymentPage {
  const isReturned = order.dispute === "lost" && order.state !== "refunded";
  if (order.failure === "mismatch-refunded" && !isReturned) return "mismatch";
  const status = paymentStatusOf[order.state];
  // Data from before the payment must not lead to "nothing was charged" or another offer to pay.
  if (order.isUnconfirmed) return "unconfirmed";
  if (status === "success" && order.dispute === "lost") return "returned";
  const isGone = !hasPlan || order.state === "refunded";
  if (status === "success" && (isGone || now - (order.paidAt ?? now) > newestOrderMs)) return "past";
  // For a first payment the distinction doesn't matter: its checkout was left or cancelled.
  return status === "cancelled" && isOpen(order.state) ? "open" : status;
}

export default function Payment({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(paymentMessages);
  const { signedOut } = messages;
  if (page.payment) return <PaymentResult payment={page.payment} />;
  return (
    <FormPage {...headOf(messages, page)} picture={<StatusIllustration state={page.isSignedIn ? "missing" : "shut"} />}>
      {page.isSignedIn ? (
        <LinkButton wide to={href("/settings/orders")}>
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

/** A missing order and another customer's order look the same to the signed-in user. */
function headOf(messages: PaymentTexts, page: Route.ComponentProps["loaderData"] | undefined) {
  if (page?.payment) return headPayment(messages, page.payment);
  return page?.isSignedIn ? messages.unknown : messages.signedOut;
}
