import { data, redirect } from "react-router";
import { appContext, viewerContext } from "#app/context.ts";
import { findPayment } from "#app/domain/orders/find-payment.server.ts";
import { isPaymentStatus, statusOf } from "#app/domain/orders/rules.ts";
import { pageTitle } from "#app/request/page-title.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { FormPage } from "#app/ui/page-shell.tsx";
import type { Route } from "./+types/payment";
import { paymentWords } from "./payment.words.ts";
import { PaymentResult } from "./payment-result.tsx";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  {
    title: pageTitle(
      loaderData?.payment ? paymentWords.en.pages[loaderData.payment.status].title : paymentWords.en.signedOut.title,
      matches,
    ),
  },
  { name: "robots", content: "noindex" },
];

/** The path is a claim, never a fact: the page loads the person's own order and leads to the status that is true. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  if (!isPaymentStatus(params.status)) throw data(null, { status: 404 });
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const shown = {
    product: app.product.name,
    support: app.product.support,
    signInPath: `/login?${new URLSearchParams({ redirectTo: url.pathname + url.search })}`,
  };
  const found = viewer && (await findPayment(app, viewer.account.id, url.searchParams.get("order")));
  if (!viewer || !found) return { ...shown, isSignedIn: viewer !== null, payment: null };
  const { order, isCertain } = found;
  const status = statusOf[order.state];
  if (status !== params.status) throw redirect(`/payment/${status}?order=${order.id}`, 303);
  const plan = app.product.plans.find((candidate) => candidate.id === order.planId);
  const payment = { order, status, isCertain, planName: plan?.name ?? order.planId, locale: viewer.account.locale };
  return { ...shown, isSignedIn: true, payment };
}

export default function Payment({ loaderData: page }: Route.ComponentProps) {
  const { signedOut } = useWords(paymentWords);
  if (page.payment) return <PaymentResult payment={page.payment} product={page.product} />;
  return (
    <FormPage title={signedOut.title} lead={signedOut.lead}>
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
