import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import { redirect } from "react-router";
import type { App } from "#app/app.ts";
import { noPasskey, readId } from "#app/core/id.ts";
import type { Result } from "#app/core/result.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import { type AccountIntent, answerTo, pathOfForm } from "./sections.ts";
import { refuseAccountForm, type Refusal } from "./refuse-account-form.ts";

/** Returns to the section of the page that has the form, and says what was done. */
export function back(intent: AccountIntent, cookie?: string) {
  const { flash, path } = answerTo(intent);
  const headers = new Headers({ "Set-Cookie": flashCookie(flash) });
  if (cookie) headers.append("Set-Cookie", cookie);
  return redirect(path, { status: 303, headers });
}

type SubmittedForm = {
  app: App;
  request: Request;
  viewer: Viewer;
  fields: { intent: keyof typeof logged; passkey?: string; name?: string };
};

/** The name of each sensitive command in the activity log. */
const logged = {
  "add-passkey": "passkey-added",
  "remove-passkey": "passkey-removed",
  "end-session": "session-ended",
  "end-other-sessions": "other-sessions-ended",
  delete: "account-closed",
  restore: "restored",
} as const satisfies Partial<Record<AccountIntent, ActivityName>>;

/** What the re-authentication before a command is for; the other commands need none. */
const sensitive: Partial<Record<AccountIntent, SensitiveAction>> = {
  "add-passkey": "add-passkey",
  "remove-passkey": "remove-passkey",
  "end-session": "end-sessions",
  "end-other-sessions": "end-sessions",
  delete: "close-account",
};

/** Redirects after success, or sends the user to re-authentication and back to the form, or says why the command was refused. */
export async function answerSensitive(
  submitted: SubmittedForm,
  outcome: Result<unknown, Refusal | { reason: "proof-stale" }>,
) {
  const { app, request, viewer, fields } = submitted;
  await logOutcome(app, viewer, logged[fields.intent], outcome);
  if (outcome.ok) return back(fields.intent);
  switch (outcome.refusal.reason) {
    case "proof-stale":
      return askForReauthentication(app, request, viewer, {
        action: sensitive[fields.intent],
        to: returnTo(fields),
        typed: fields,
      });
    default:
      return refuseAccountForm(outcome.refusal);
  }
}

/** After re-authentication, the removal of that passkey is confirmed again. */
function returnTo({ intent, passkey }: SubmittedForm["fields"]): string {
  if (intent !== "remove-passkey" || !passkey) return pathOfForm(intent);
  return pathOfForm(intent, readId("pky", passkey) ?? noPasskey);
}
