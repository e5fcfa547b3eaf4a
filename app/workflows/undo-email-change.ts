import type { AccountId } from "#app/core/id.ts";
import { data, redirect, href } from "react-router";
import type { App } from "#app/app.ts";
import type { RevertRefusal } from "#app/modules/accounts/address-change.rules.ts";
import { revertAddress } from "#app/modules/accounts/commands/revert-address.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { endedCookie, flashCookie } from "#app/http/request/cookies.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";

/** Handles the link in the email to the old address. Users it signs out are sent to sign-in. */
export async function undoEmailChange(app: App, request: Request, viewer: Viewer | null, token: string) {
  const { device, country } = describeVisitor(request);
  const reverted = await revertAddress(app, token, { device, country });
  if (!reverted.ok) return data(reverted.refusal, { status: revertStatus(reverted.refusal.reason) });
  syncEmailLater(app, reverted.value.accountId);
  const headers = new Headers({ "Set-Cookie": flashCookie("address-reverted") });
  if (viewer?.account.id === reverted.value.accountId) headers.append("Set-Cookie", endedCookie("session"));
  return redirect(href("/login"), { status: 303, headers });
}

/** Stripe writes to the account's address. When Stripe can't be updated now, the account's next sync does it. */
export function syncEmailLater(app: App, accountId: AccountId): void {
  app.later(reconcileCustomer(app, accountId));
}

export function revertStatus(reason: RevertRefusal["reason"]): number {
  return reason === "link-unknown" ? 404 : 409;
}
