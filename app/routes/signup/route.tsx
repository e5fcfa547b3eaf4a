import { data, redirect, href } from "react-router";
import { askForCode } from "#app/http/codes/ask-for-code.ts";
import { sentAnswer } from "#app/http/forms/ask-challenge.ts";
import { askedBefore } from "#app/http/codes/asked-before.ts";
import { appContext, viewerContext } from "#app/http/request/contexts.ts";
import { signUpForm } from "./form.ts";
import { readPath } from "#app/core/text/path.ts";
import { afterProof } from "#app/modules/catalogue/after-proof.rules.ts";
import { findPlan, intervalFor, isInterval, isSold, priceOf } from "#app/modules/catalogue/rules.ts";
import { gateGuards } from "#app/modules/catalogue/gate.rules.ts";
import { recordVisit } from "#app/modules/referrals/commands/record-visit.server.ts";
import { gatekeeperOf } from "#app/app.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { refuseMistypedDomain } from "#app/http/forms/refuse-mistyped-domain.ts";
import { socialPicture } from "#app/http/page/social-picture.ts";
import type { Route } from "./+types/route";
import { gatePages } from "#app/features.ts";
import { signupMessages } from "./messages.ts";
import { type ShutOut, SignUpForm } from "./signup-form.tsx";
import { ByInvitationPage } from "./signup-invitation.tsx";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  { title: pageTitle(titleOf(loaderData), matches) },
  { tagName: "link", rel: "canonical", href: loaderData?.canonical },
  ...socialPicture(loaderData?.canonical, "signup", signupMessages.en.lead, matches),
];

function titleOf(page: Route.ComponentProps["loaderData"] | undefined): string {
  const { title, invitedFor } = signupMessages.en;
  return page?.invitation?.verdict === "open" ? invitedFor.title(page.invitedTo) : title;
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const query = Object.fromEntries(url.searchParams);
  if (await context.get(viewerContext)) {
    throw redirect(afterProof(app.product, { ...query, planId: query.plan }, { isNew: false }), 303);
  }
  const plan = findPlan(app.product, query.plan);
  const wanted = isInterval(query.interval) ? query.interval : "month";
  const interval = plan ? intervalFor(plan, wanted) : wanted;
  const price = plan && isSold(plan) ? priceOf(app.product, plan, interval) : null;
  const before = await askedBefore(app, request, url, "sign-up");
  const visit = await recordVisit(app, request, query.ref ?? before?.carried.referralCode ?? null, null, "signup");
  const token = app.gate.kind === "none" ? undefined : query.invitation;
  const shown = token && (await gatekeeperOf(app)?.showInvitation(app, token));
  const invitation = token && shown ? { ...shown, token } : null;
  const page = {
    canonical: app.origin + href("/signup"),
    locale: app.product.locale,
    isShut: app.gate.kind === "signup" && invitation?.verdict !== "open",
    invitation,
    isFull: app.gate.kind !== "none" && gatePages().isFull(app.product),
    reader: { locale: app.product.locale, timeZone: app.product.timeZone },
    isForInvited: plan !== null && gateGuards(app.gate, plan.id) && invitation?.verdict !== "open",
    invitedTo: app.gate.kind === "plan" ? (findPlan(app.product, app.gate.planId)?.name ?? null) : null,
    chosen: plan && price ? { id: plan.id, name: plan.name, interval, price } : null,
    redirectTo: readPath(query.redirectTo),
    referral: visit.offer && visit.code ? { code: visit.code, offer: visit.offer } : null,
    before: before && {
      email: before.addressTyped,
      agrees: before.carried.termsVersion === app.product.terms.version,
      keepsReferral: before.carried.referralCode !== undefined,
    },
  };
  const headers = new Headers(visit.cookie ? { "Set-Cookie": visit.cookie } : {});
  // The page contains an address the user typed and the invitation's details, so it must not be cached.
  if (before || invitation) headers.set("Cache-Control", "no-store");
  return data(page, { headers });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = readForm(context, signUpForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  // The choice is in the page's query; a form field of the same name takes precedence.
  const input = { ...carriedBy(url), ...form.value };
  const admission = await gatekeeperOf(app)?.checkAdmission(app, input.invitation, form.value.email);
  if (admission?.ok === false)
    return data({ ...admission.refusal, typed: { email: form.value.email.original } }, { status: 409 });
  const invitation = admission?.value ?? {};
  const { email, ...typed } = form.value;
  const answer = sentAnswer(app, context);
  // An invited address has already received an email, so it isn't mistyped.
  const suggested = invitation.entryId ? null : refuseMistypedDomain(url, email, { ...typed, ...answer });
  if (suggested) return suggested;
  return askForCode(app, request, {
    address: email,
    purpose: "sign-up",
    challenge: { answer, typed: { ...typed, email: email.original } },
    carried: {
      planId: input.plan,
      interval: input.interval,
      redirectTo: input.redirectTo,
      termsVersion: app.product.terms.version,
      referralCode: form.value.ref,
      ...invitation,
    },
  });
}

/** The parts of the page's query that are valid here. */
function carriedBy(url: URL) {
  const word = (name: string) => (url.searchParams.get(name) ?? "").slice(0, 100) || undefined;
  return {
    plan: word("plan"),
    interval: word("interval"),
    invitation: word("invitation"),
    redirectTo: readPath(url.searchParams.get("redirectTo")) ?? undefined,
  };
}

export default function SignUp({ loaderData: page, actionData }: Route.ComponentProps) {
  if (!actionData || !isShutOut(actionData)) {
    return page.isShut ? <ByInvitationPage page={page} /> : <SignUpForm page={page} refusal={actionData} />;
  }
  // The form was opened before sign-up was shut.
  const isShut = page.isShut || actionData.reason === "by-invitation";
  return isShut ? (
    <ByInvitationPage page={page} refusal={actionData.reason} />
  ) : (
    <SignUpForm page={page} shut={actionData} />
  );
}

function isShutOut(refusal: { reason: string }): refusal is ShutOut {
  return /^(by-)?invitation/.test(refusal.reason);
}
