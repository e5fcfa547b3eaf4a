import { data, redirect } from "react-router";
import type { App } from "#app/context.ts";
import { browserCookie } from "#app/cookies.ts";
import { type CodeRequest, requestCode } from "#app/domain/accounts/request-code.server.ts";
import { newToken } from "#app/domain/kernel/id.ts";
import { secondsUntil } from "#app/domain/kernel/time.ts";
import { describeVisitor } from "#app/visitor.ts";

type Wish = Pick<CodeRequest, "address" | "purpose" | "carried"> & { again?: boolean };

/**
 * How sign-up, log-in and verify answer a wish for a code: on to the page that waits for it, in a browser that is tied to
 * the request; or 429 with the time to wait. The same for addresses with and without an account.
 */
export async function askForCode(app: App, request: Request, wish: Wish) {
  const visitor = describeVisitor(request);
  const browserToken = visitor.browserToken ?? newToken(app.random);
  const requested = await requestCode(app, { again: false, ...wish, browserToken, ip: visitor.ip });
  if (requested.ok) {
    const headers = { "Set-Cookie": browserCookie(browserToken) };
    return redirect(`/verify?request=${requested.value.requestId}`, { status: 303, headers });
  }
  const seconds = secondsUntil(requested.refusal.retryAt, app.clock());
  return data({ ...requested.refusal, seconds }, { status: 429, headers: { "Retry-After": String(seconds) } });
}
