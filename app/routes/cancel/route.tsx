import { data, href, redirect } from "react-router";
import type { App } from "#app/app.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { answerForm } from "#app/http/forms/answer-form.ts";
import type { InferOutput } from "valibot";
import { readForm } from "#app/http/forms/read-form.ts";
import { sayWait } from "#app/http/forms/refuse-until.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { socialPicture } from "#app/http/page/social-picture.ts";
import { holdToSession } from "#app/http/session/hold-to-session.server.ts";
import { appContext, viewerContext } from "#app/http/request/contexts.ts";
import { cancelledCookie, flashCookie, readCookie } from "#app/http/request/cookies.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import { isAccountClosed, type Viewer } from "#app/modules/accounts/rules.ts";
import { lacksCause } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { declareCancellation } from "#app/modules/billing/cancellations/commands/declare-cancellation.server.ts";
import { keepPlan } from "#app/modules/billing/cancellations/commands/undo-cancellations.server.ts";
import { prefillOrder } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { Route } from "./+types/route";
import { findDeclared, readOwn } from "./reads.server.ts";
import { cancelMessages } from "./messages.ts";
import { CancelPage, CookielessPage, DeclaredPage } from "./pages.tsx";
import { sayDeclaration } from "./say-declaration.ts";
import { sayWaiting } from "./say-waiting.ts";
import { cancellationForm } from "./form.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ loaderData: page, location, matches }) => [
  { title: pageTitle(cancelMessages.en.title, matches) },
  ...(location.search === "" && page
    ? [
        { tagName: "link", rel: "canonical", href: page.canonical } as const,
        ...socialPicture(page.canonical, "landing", cancelMessages.en.form.lead, matches),
      ]
    : [{ name: "robots", content: "noindex" }]),
];

function requirePage({ product }: App): void {
  if (product.cancellationPage === "off") throw data(null, { status: 404 });
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  requirePage(app);
  const { product } = app;
  // Only the browser that declared is told so. One that refuses cookies may have declared, too.
  const isDeclared = url.searchParams.get("declared") !== null;
  const [declared, viewer] = await Promise.all([
    isDeclared ? findDeclared(app, readCookie(request, "cancelled")) : null,
    context.get(viewerContext),
  ]);
  const account = viewer?.account ?? null;
  const own = account && !isDeclared ? await readOwn(app, account.id) : null;
  const order = prefillOrder(url.searchParams.get("order"));
  return {
    support: product.support,
    canonical: `${app.origin}${href("/cancel")}`,
    hasWithdrawal: product.withdrawalDays !== "off",
    planPath: account === null || isAccountClosed(account) ? null : segmentPath(product, "plan"),
    waiting: account && own?.waiting ? sayWaiting(own.waiting, account) : null,
    prefill: { name: account?.name ?? "", order: order || (own?.order ?? ""), email: account?.email ?? "" },
    declared: declared && { address: declared.address, facts: sayDeclaration(product, declared) },
    isCookieless: isDeclared && declared === null,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  requirePage(app);
  return answerForm(readForm(context, cancellationForm), {
    keep: async () => keep(app, await context.get(viewerContext), url),
    declare: async (fields) => declare(app, request, await context.get(viewerContext), fields),
  });
}

/** Takes a declaration back that waits. */
async function keep(app: App, viewer: Viewer | null, url: URL) {
  if (!viewer) throw redirect(`${href("/login")}?${new URLSearchParams({ redirectTo: href("/cancel") })}`, 303);
  const kept = await keepPlan(holdToSession(app, viewer.session, url), viewer.account);
  await logOutcome(app, viewer, "plan-resumed", kept);
  // If it couldn't be kept, the plan's page says when it ends, and has the same button.
  const headers = kept.ok ? { "Set-Cookie": flashCookie("plan-resumed") } : undefined;
  return redirect(segmentPath(app.product, "plan"), { status: 303, headers });
}

type Declaration = Extract<InferOutput<typeof cancellationForm>, { intent: "declare" }>;

/** Stores every declaration that names a contract. No response reveals whether there is one. */
async function declare(app: App, request: Request, viewer: Viewer | null, fields: Declaration) {
  const { kind, cause, name, order, email, endsOn } = fields;
  const typed = { kind, cause, name, order, email: email.original, endsOn };
  if (lacksCause(fields)) {
    const errors = [{ field: "cause", problem: "cause-missing" }];
    return data({ reason: "invalid-fields" as const, status: 422 as const, errors, typed }, { status: 422 });
  }
  const own = viewer && parseEmailAddress(viewer.account.email);
  const isOwn = own?.canonical === email.canonical;
  const declarer = { ip: describeVisitor(request).ip, accountId: viewer?.account.id ?? null, isOwn };
  const declared = await declareCancellation(app, fields, declarer);
  if (declared.ok) {
    const headers = { "Set-Cookie": cancelledCookie(declared.value.id) };
    return redirect(`${href("/cancel")}?declared`, { status: 303, headers });
  }
  const refusal = { ...sayWait(declared.refusal, app.clock()), typed };
  return data(refusal, {
    status: 429,
    headers: { "Retry-After": String(refusal.seconds), "Cache-Control": "no-store" },
  });
}

export default function Cancel({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  if (page.declared && !refusal) return <DeclaredPage declared={page.declared} support={page.support} />;
  if (page.isCookieless && !refusal) return <CookielessPage support={page.support} />;
  return <CancelPage page={page} refusal={refusal} />;
}
