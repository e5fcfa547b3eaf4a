import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import { data, href, redirect } from "react-router";
import type { App } from "#app/app.ts";
import { noPasskey, noSession, readId } from "#app/core/id.ts";
import { assertNever, type Result } from "#app/core/result.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { closeAccount } from "#app/modules/closing/commands/close-account.server.ts";
import { restoreAccount } from "#app/modules/closing/commands/restore-account.server.ts";
import type * as v from "valibot";
import type { dataForm } from "../data/form.ts";
import type { notificationsForm } from "../notifications/form.ts";
import type { profileForm } from "../profile/form.ts";
import type { securityForm } from "../security/form.ts";
import type { ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { endOtherSession, endOtherSessions } from "#app/modules/accounts/commands/end-session.server.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { switchEmails } from "#app/modules/accounts/commands/switch-emails.server.ts";
import { addPasskey } from "#app/modules/accounts/passkeys/commands/add-passkey.server.ts";
import { removePasskey } from "#app/modules/accounts/passkeys/commands/remove-passkey.server.ts";
import { askForAddressChange, askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { declinedCookie, endedCookie, flashCookie, themeCookie } from "#app/http/request/cookies.ts";
import type { FormRefusal } from "#app/http/forms/read-form.ts";
import { refuseMistypedDomain } from "#app/http/forms/refuse-mistyped-domain.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { type AccountIntent, answerTo, pathOfForm } from "./sections.ts";
import { refuseAccountForm, type Refusal } from "./refuse-account-form.ts";

type AccountFields = v.InferOutput<
  ReturnType<typeof profileForm> | typeof securityForm | typeof notificationsForm | typeof dataForm
>;

type Sent = { app: App; request: Request; viewer: Viewer; form: Result<AccountFields, FormRefusal> };

/**
 * The action of every account page, the overview of a closed account among them: carries out the command and redirects to the section of
 * the page that has the form. Answers null if the form was saved in place, without leaving the page.
 */
export async function answerAccountForm({ app, request, viewer, form }: Sent) {
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const fields = form.value;
  if (fields.intent === "decline-passkey") {
    return redirect(href("/settings"), { status: 303, headers: { "Set-Cookie": declinedCookie() } });
  }
  const submitted = { app, request, viewer, fields };
  switch (fields.intent) {
    case "profile":
      await changeProfile(app, viewer, fields);
      return back(fields.intent);
    case "mails":
      await switchEmails(app, viewer, fields);
      return fields.inPlace ? null : back(fields.intent);
    case "change-email": {
      const { intent, email } = fields;
      const suggested = refuseMistypedDomain(new URL(request.url), email, { intent });
      return suggested ?? askForAddressChange(app, request, viewer, email);
    }
    case "end-session":
      return answerSensitive(submitted, await endOtherSession(app, viewer, readId("ses", fields.session) ?? noSession));
    case "end-other-sessions":
      return answerSensitive(submitted, await endOtherSessions(app, viewer));
    case "delete":
      return answerSensitive(submitted, await closeAccount(app, viewer));
    case "restore":
      return answerSensitive(submitted, await restoreAccount(app, viewer));
    case "add-passkey": {
      const { intent, name, passkey: text } = fields;
      const { device } = describeVisitor(request);
      // A passkey created after re-authentication has expired isn't stored: the user is asked again.
      const again = { ...submitted, fields: { intent, name } };
      return answerSensitive(again, await addPasskey(app, viewer, { name, text, device }));
    }
    case "remove-passkey":
      return answerSensitive(submitted, await removePasskey(app, viewer, readId("pky", fields.passkey) ?? noPasskey));
    case "appearance": {
      const { intent, theme, inPlace } = fields;
      const cookie = theme === "system" ? endedCookie("theme") : themeCookie(theme);
      return inPlace ? data(null, { headers: { "Set-Cookie": cookie } }) : back(intent, cookie);
    }
    default:
      return assertNever(fields);
  }
}

function back(intent: AccountIntent, cookie?: string) {
  const { flash, path } = answerTo(intent);
  const headers = new Headers({ "Set-Cookie": flashCookie(flash) });
  if (cookie) headers.append("Set-Cookie", cookie);
  return redirect(path, { status: 303, headers });
}

type SubmittedForm = {
  app: App;
  request: Request;
  viewer: Viewer;
  fields: { intent: AccountIntent; passkey?: string };
};

/** The name of each command in the activity log; null for those that aren't sensitive. */
const logged = {
  profile: null,
  mails: null,
  appearance: null,
  "change-email": "address-changed",
  "add-passkey": "passkey-added",
  "remove-passkey": "passkey-removed",
  "end-session": "session-ended",
  "end-other-sessions": "other-sessions-ended",
  delete: "account-closed",
  restore: "restored",
} as const satisfies Record<AccountIntent, ActivityName | null>;

/** What the re-authentication before a command is for; the other commands need none. */
const sensitive: Partial<Record<AccountIntent, SensitiveAction>> = {
  "add-passkey": "add-passkey",
  "remove-passkey": "remove-passkey",
  "end-session": "end-sessions",
  "end-other-sessions": "end-sessions",
  delete: "close-account",
};

/** Redirects after success, or sends the user to re-authentication and back to the form, or says why the command was refused. */
async function answerSensitive(
  submitted: SubmittedForm,
  outcome: Result<unknown, Refusal | { reason: "proof-stale" }>,
) {
  const { app, request, viewer, fields } = submitted;
  const what = logged[fields.intent];
  if (what) await logOutcome(app, viewer, what, outcome);
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
