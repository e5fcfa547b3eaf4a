import { redirect } from "react-router";
import { appContext, viewerContext } from "#app/context.ts";
import { endedCookie, flashCookie } from "#app/request/cookies.ts";
import { endSession } from "#app/domain/accounts/end-session.server.ts";
import type { Route } from "./+types/logout";

/** Signing out is asked for, never visited. */
export function loader() {
  return redirect("/", 303);
}

export async function action({ context }: Route.ActionArgs) {
  const viewer = await context.get(viewerContext);
  if (viewer) await endSession(context.get(appContext), viewer);
  const headers = new Headers({ "Clear-Site-Data": '"cache", "storage"' });
  headers.append("Set-Cookie", endedCookie("session"));
  headers.append("Set-Cookie", flashCookie("signed-out"));
  return redirect("/", { status: 303, headers });
}
