import { readId, noPasskey } from "#app/core/id.ts";
import { redirect, href } from "react-router";
import type { App } from "#app/app.ts";
import type { ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { noteOutcome } from "#app/modules/accounts/commands/note-outcome.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { Result } from "#app/core/result.ts";
import { askForReauthentication } from "#app/http/ask-for-code.ts";
import { flashCookie } from "#app/http/cookies.ts";
import { answerTo, removalOf, type OverviewIntent } from "./places.ts";
import { refuse, type Refusal } from "./refusal.tsx";

/** Redirects back to the section of the page that the command was about. */
export function back(intent: OverviewIntent, cookie?: string) {
  const { flash, place } = answerTo(intent);
  const headers = new Headers({ "Set-Cookie": flashCookie(flash) });
  if (cookie) headers.append("Set-Cookie", cookie);
  return redirect(`${href("/settings")}#${place}`, { status: 303, headers });
}

type Asked = { app: App; request: Request; viewer: Viewer; fields: { intent: OverviewIntent; passkey?: string } };

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
  delete: "leaving-begun",
  restore: "restored",
} as const satisfies Record<OverviewIntent, ActivityName | null>;

/** The command succeeded, or re-authentication comes first, after which the user returns to that section. */
export async function answerSensitive(asked: Asked, outcome: Result<unknown, Refusal | { reason: "proof-stale" }>) {
  const { app, request, viewer, fields } = asked;
  const what = logged[fields.intent];
  if (what) await noteOutcome(app, viewer, what, outcome);
  if (outcome.ok) return back(fields.intent);
  switch (outcome.refusal.reason) {
    case "proof-stale":
      return askForReauthentication(app, request, viewer, {
        to: `${href("/settings")}#${returnTo(fields)}`,
        typed: fields,
      });
    default:
      return refuse(outcome.refusal);
  }
}

/** After re-authentication, the removal of that passkey is confirmed again. */
function returnTo({ intent, passkey }: Asked["fields"]): string {
  if (intent === "remove-passkey" && passkey) return removalOf(readId("pky", passkey) ?? noPasskey);
  return answerTo(intent).place;
}
