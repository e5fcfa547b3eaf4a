import { data, redirect, href } from "react-router";
import { appContext, sessionCookieContext } from "#app/http/request/contexts.ts";
import { refuseBody } from "#app/http/forms/read-form.ts";
import { endSession } from "#app/modules/accounts/commands/end-session.server.ts";
import { endedCookie, flashCookie } from "#app/http/request/cookies.ts";
import type { Route } from "./+types/route";

/** Signing out requires POST. */
export function loader() {
  return redirect(href("/"), 303);
}

/** Ends the session or answers 503. On failure the cookie stays, since without it the user could no longer end the session from here. */
export async function action({ context }: Route.ActionArgs) {
  refuseBody(context);
  const app = context.get(appContext);
  const cookie = context.get(sessionCookieContext);
  const isOver = cookie === null || (await endSession(app, cookie).then(() => true, failed(app.report)));
  if (!isOver) throw data(null, { status: 503, headers: { "Cache-Control": "no-store" } });
  const headers = new Headers({ "Clear-Site-Data": '"cache", "storage"' });
  headers.append("Set-Cookie", endedCookie("session"));
  headers.append("Set-Cookie", flashCookie("signed-out"));
  return redirect(href("/"), { status: 303, headers });
}

function failed(report: (error: unknown) => void) {
  return (error: unknown) => {
    report(error);
    return false;
  };
}

/** Renders only on failure: the error boundary of all pages shows the reason. */
export default function SignOut() {
  return null;
}
