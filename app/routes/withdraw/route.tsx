import { type Account, isAccountClosed } from "#app/modules/accounts/rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { readId } from "#app/core/id.ts";
import { useState } from "react";
import { data, href, redirect } from "react-router";
import type { App } from "#app/app.ts";
import { appContext, viewerContext } from "#app/http/request/contexts.ts";
import { enteredAddressCookie, readCookie, readEnteredAddress, withdrawnCookie } from "#app/http/request/cookies.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { sayWait } from "#app/http/forms/refuse-until.ts";
import { refuseMistypedDomain } from "#app/http/forms/refuse-mistyped-domain.ts";
import { socialPicture } from "#app/http/page/social-picture.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import type { Route } from "./+types/route";
import { withdrawMessages } from "./messages.ts";
import { findNewestOwn, findOwn, findRefund, prefillFor, sayAlready, sayOwn } from "./own-order.ts";
import { AlreadyPage, CookielessPage, DeclaredPage, DeclarePage, ReviewPage } from "./pages.tsx";
import { withdrawalForm } from "./form.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ loaderData: page, location, matches }) => [
  { title: pageTitle(withdrawMessages.en.title, matches) },
  ...(location.search === "" && page
    ? [
        { tagName: "link", rel: "canonical", href: page.canonical } as const,
        ...socialPicture(page.canonical, "landing", withdrawMessages.en.form.lead(page.days), matches),
      ]
    : [{ name: "robots", content: "noindex" }]),
];

/** A product without a withdrawal period has no such page. */
function daysOf(app: App): number {
  const { withdrawalDays } = app.product;
  if (withdrawalDays === "off") throw data(null, { status: 404 });
  return withdrawalDays;
}

/** Where a plan is cancelled instead. Null for a closed account, which has none. */
function cancelPathOf(product: ProductConfig, account: Account | null): string | null {
  if (account === null && product.cancellationPage === "on") return href("/cancel");
  return account && isAccountClosed(account) ? null : segmentPath(product, "plan");
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { product } = app;
  // Only the browser that declared is told so. One that refuses cookies may have declared, too.
  const sent = url.searchParams.get("declared");
  const declared = readCookie(request, "withdrawn") === null ? null : sent;
  const order = url.searchParams.get("order");
  const ref = readId("ord", url.searchParams.get("ref"));
  const own = await findOwn(context, ref ?? readId("ord", order));
  const isPlain = order === null && declared === null;
  const newest = isPlain && own.account ? await findNewestOwn(app, own.account) : null;
  const shown = { account: own.account, detail: own.detail ?? newest };
  return {
    support: product.support,
    days: daysOf(app),
    cancelPath: cancelPathOf(product, own.account),
    canonical: `${app.origin}${href("/withdraw")}`,
    address: declared === null ? null : readEnteredAddress(request),
    declared: declared === null ? null : { isNew: declared !== "before", own: sayOwn(app, own) },
    isCookieless: sent !== null && declared === null,
    already: declared === null ? sayAlready(app, shown) : null,
    prefill: { ...prefillFor(own.account, shown.detail, order), ref: ref ?? "" },
  };
}

/** First shows the declaration without storing anything; then it is declared. No response reveals whether the order exists. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  daysOf(app);
  const form = readForm(context, withdrawalForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent, ...declaration } = form.value;
  const { name, order, email, ref = "" } = declaration;
  const shown = { name, order, email: email.original, ref };
  // The page contains a customer's name and address, so it must not be cached.
  const headers = new Headers({ "Cache-Control": "no-store" });
  const viewer = await context.get(viewerContext);
  const own = viewer && parseEmailAddress(viewer.account.email);
  const isOwn = own?.canonical === declaration.email.canonical;
  if (intent === "declare") {
    const suggested = isOwn ? null : refuseMistypedDomain(url, email, { name, order, ref, intent });
    const refundText = viewer && isOwn ? await findRefund(app, viewer.account, declaration) : null;
    return suggested ?? data({ declaration: shown, refundText, refusal: null }, { headers });
  }
  const who = { accountId: viewer?.account.id ?? null, sessionId: viewer?.session.id };
  const declarer = { ip: describeVisitor(request).ip, ...who, isOwn };
  const declared = await declareWithdrawal(app, declaration, declarer);
  if (declared.ok) {
    const { isNew, ownOrderId } = declared.value;
    const order = ownOrderId ? `&order=${ownOrderId}` : "";
    const cookies = new Headers({ "Set-Cookie": enteredAddressCookie(email.original) });
    cookies.append("Set-Cookie", withdrawnCookie());
    return redirect(`${href("/withdraw")}?declared${isNew ? "" : "=before"}${order}`, {
      status: 303,
      headers: cookies,
    });
  }
  const refusal = sayWait(declared.refusal, app.clock());
  headers.set("Retry-After", String(refusal.seconds));
  return data({ declaration: shown, refundText: null, refusal }, { status: 429, headers });
}

export default function Withdraw({ loaderData: page, actionData: answer }: Route.ComponentProps) {
  // The reviewed declaration, while the customer edits it.
  const [changing, change] = useState<typeof answer>();
  if (answer && "declaration" in answer) {
    if (answer !== changing) return <ReviewPage {...answer} onChange={() => change(answer)} />;
    return (
      <DeclarePage days={page.days} cancelPath={page.cancelPath} prefill={answer.declaration} refusal={undefined} />
    );
  }
  if (!answer && page.already) return <AlreadyPage already={page.already} />;
  if (!answer && page.declared) return <DeclaredPage page={page} {...page.declared} />;
  if (!answer && page.isCookieless) return <CookielessPage support={page.support} />;
  return <DeclarePage days={page.days} cancelPath={page.cancelPath} prefill={page.prefill} refusal={answer} />;
}
