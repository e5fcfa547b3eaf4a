import { data, redirect } from "react-router";
import type { App } from "#app/app.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { Result } from "#app/core/result.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import type { FormRefusal } from "#app/http/forms/read-form.ts";

/** Where each command redirects on success, and where re-authentication for it returns to. */
const ways = {
  "show-key": {
    to: "?key#licence",
    proven: "?key#licence",
    flash: null,
    what: "licence-key-shown",
    action: "show-licence-key",
  },
  "rotate-key": {
    to: "?key#licence",
    proven: "#replace-key",
    flash: "key-rotated",
    what: "licence-key-rotated",
    action: "replace-licence-key",
  },
  "rename-device": {
    to: "#devices",
    proven: "#devices",
    flash: "device-renamed",
    what: "device-renamed",
    action: undefined,
  },
  "remove-device": {
    to: "#devices",
    proven: "#devices",
    flash: "device-removed",
    what: "device-removed",
    action: undefined,
  },
} as const;

export type Refusal = { reason: "key-unreadable" } | { reason: "device-unknown" };
type SubmittedForm = { app: App; request: Request; viewer: Viewer; intent: keyof typeof ways };

/** Redirects to where the result shows, or to re-authentication. Otherwise the page says why the command was refused. */
export async function answerDevicesForm(
  { app, request, viewer, intent }: SubmittedForm,
  outcome: Result<unknown, Refusal | { reason: "proof-stale" }>,
) {
  const path = segmentPath(app.product, "account");
  const { to, proven, flash, what, action } = ways[intent];
  await logOutcome(app, viewer, what, outcome);
  if (outcome.ok) {
    const headers = flash ? { "Set-Cookie": flashCookie(flash) } : undefined;
    return redirect(path + to, { status: 303, headers });
  }
  switch (outcome.refusal.reason) {
    case "proof-stale":
      return askForReauthentication(app, request, viewer, { action, to: path + proven });
    case "key-unreadable":
      return data(outcome.refusal, { status: 409 });
    case "device-unknown":
      return data(outcome.refusal, { status: 404 });
  }
}

export function refuseFields(refusal: FormRefusal) {
  return data(refusal, { status: refusal.status });
}
