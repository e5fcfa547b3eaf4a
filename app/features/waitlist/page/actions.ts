import { data, href, redirect, type RouterContextProvider } from "react-router";
import type { App } from "#app/app.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { canonicalOf, type Viewer } from "#app/modules/accounts/rules.ts";
import { refuseUntil } from "#app/http/forms/refuse-until.ts";
import { afterProof } from "#app/modules/catalogue/after-proof.rules.ts";
import { acceptInvitation } from "../commands/accept-invitation.server.ts";
import { requeueEntry } from "../commands/requeue-entry.server.ts";
import { confirmEntry } from "../commands/confirm-entry.server.ts";
import { leaveWaitlist } from "../commands/leave-waitlist.server.ts";
import { type HeldLink, resendLink } from "../commands/resend-link.server.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { isEntryRefusal, entryRefusalStatusOf, type WaitlistRefusal } from "./refusal.tsx";
import { confirmForm, entryForm } from "./form.ts";

type Sent = { request: Request; context: Readonly<RouterContextProvider> };

/** An entry's own page: accept, confirm continued interest, leave, or have its link emailed again. */
export async function submitEntry({ request, context }: Sent, token: string, viewer: Viewer | null) {
  const app = context.get(appContext);
  const form = readForm(context, entryForm);
  if (!form.ok) return refuseWaitlistForm(app, form.refusal);
  switch (form.value.intent) {
    case "accept":
      return accept(app, token, viewer);
    case "confirm": {
      const sent = await requeueEntry(app, token);
      return sent.ok ? redirect(entryPath(token), 303) : refuseWaitlistForm(app, sent.refusal);
    }
    case "resend":
      return resend(app, request, { kind: "entry", token });
    case "leave": {
      const left = await leaveWaitlist(app, token);
      if (!left.ok) return refuseWaitlistForm(app, left.refusal);
      return redirect(href("/waitlist"), { status: 303, headers: { "Set-Cookie": flashCookie("left-waitlist") } });
    }
  }
}

/** Redirects to what the invitation unlocks. A visitor without an account or session gets to the plan through sign-up or sign-in. */
async function accept(app: App, token: string, viewer: Viewer | null) {
  const canonical = viewer && canonicalOf(viewer.account);
  const accepted = await acceptInvitation(app, token, canonical === null ? null : { canonical });
  if (!accepted.ok) return refuseWaitlistForm(app, accepted.refusal);
  const { planId } = accepted.value;
  if (planId === null) return redirect(`${href("/signup")}?${new URLSearchParams({ invitation: token })}`, 303);
  const checkout = afterProof(app.product, { planId }, { isNew: false });
  if (viewer) return redirect(checkout, 303);
  const choice = new URLSearchParams({ plan: planId, redirectTo: checkout, invitation: token });
  return redirect(`${href("/signup")}?${choice}`, 303);
}

/** The page of an emailed link: confirm, or request a new link when it has expired. */
export async function submitLink({ request, context }: Sent, token: string) {
  const app = context.get(appContext);
  const form = readForm(context, confirmForm);
  if (!form.ok) return refuseWaitlistForm(app, form.refusal);
  if (form.value.intent === "resend") return resend(app, request, { kind: "confirm", token });
  const confirmed = await confirmEntry(app, token, describeVisitor(request).ip);
  return confirmed.ok
    ? redirect(entryPath(confirmed.value.entryToken), 303)
    : refuseWaitlistForm(app, confirmed.refusal);
}

async function resend(app: App, request: Request, held: HeldLink) {
  const sent = await resendLink(app, held, describeVisitor(request).ip);
  if (sent.ok && held.kind === "entry") {
    const headers = { "Set-Cookie": flashCookie(sent.value.isSent ? "place-link-sent" : "place-link-waits") };
    return redirect(entryPath(held.token), { status: 303, headers });
  }
  return sent.ok ? redirect(sentPath(), 303) : refuseWaitlistForm(app, sent.refusal);
}

export function refuseWaitlistForm(app: App, refusal: WaitlistRefusal) {
  if (isEntryRefusal(refusal)) return data(refusal, { status: entryRefusalStatusOf[refusal.reason] });
  if (!("retryAt" in refusal)) return data(refusal, { status: refusal.status });
  return refuseUntil(refusal, app.clock());
}

export function entryPath(token: string): string {
  return `${href("/waitlist")}?entry=${token}`;
}

export function sentPath(): string {
  return `${href("/waitlist")}?sent`;
}
