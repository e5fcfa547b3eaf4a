import { data, redirect } from "react-router";
import type { App } from "#app/context.ts";
import { browserCookie } from "#app/request/cookies.ts";
import { type CodeRequest, requestCode } from "#app/domain/accounts/request-code.server.ts";
import type { SendRefusal } from "#app/domain/codes/rules.ts";
import { newToken } from "#app/domain/kernel/id.ts";
import { secondsUntil } from "#app/domain/kernel/time.ts";
import { findFlood } from "./flood.ts";
import { describeVisitor } from "#app/request/visitor.ts";

type Wish = Pick<CodeRequest, "address" | "purpose" | "carried"> & { again?: boolean };

/**
 * How sign-up, log-in and verify answer a wish for a code: on to the page that waits for it, in a browser that is tied to
 * the request; or 429 with the time to wait. The same for addresses with and without an account.
 */
export async function askForCode(app: App, request: Request, wish: Wish) {
  const visitor = describeVisitor(request);
  const flood = await findFlood(app, visitor.ip);
  if (flood) return refuse(flood, app.clock());
  const browserToken = visitor.browserToken ?? newToken(app.random);
  const requested = await requestCode(app, { again: false, ...wish, browserToken, ip: visitor.ip });
  if (requested.ok) {
    const headers = { "Set-Cookie": browserCookie(browserToken) };
    return redirect(`/verify?request=${requested.value.requestId}`, { status: 303, headers });
  }
  return refuse(requested.refusal, app.clock());
}

function refuse(refusal: SendRefusal, now: number) {
  const seconds = secondsUntil(refusal.retryAt, now);
  return data({ ...refusal, seconds }, { status: 429, headers: { "Retry-After": String(seconds) } });
}
