import { readId } from "#app/core/id.ts";
import { data, redirect, type ShouldRevalidateFunctionArgs, href } from "react-router";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { refuseUntil } from "#app/http/forms/refuse-until.ts";
import type { App } from "#app/app.ts";
import { appContext, sessionCookieContext, viewerContext, visitorZoneContext } from "#app/http/request/contexts.ts";
import { writeSessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { browserCookie, flashCookie, readCookie, sessionCookie } from "#app/http/request/cookies.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { showRevert } from "#app/modules/accounts/commands/revert-address.server.ts";
import { findOwnRequest } from "#app/modules/accounts/reads/find-own-request.server.ts";
import { verifyForm } from "./form.ts";
import { readDigits } from "#app/modules/accounts/codes/digits.rules.ts";
import { firstTimeZone } from "#app/core/time/time-zone.ts";
import { proveWithPasskey } from "#app/modules/accounts/passkeys/commands/prove-with-passkey.server.ts";
import { sayElsewhere, sayHere } from "./say-request.ts";
import { showRequest } from "./show-request.server.ts";
import { afterProof } from "#app/modules/catalogue/after-proof.rules.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { holdToSession } from "#app/http/session/hold-to-session.server.ts";
import { answerCodeButtons } from "#app/http/codes/answer-code-buttons.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { isPasskeyRefusal, type PasskeyRefusal, refusePasskey } from "#app/http/forms/passkey-refusal.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { revertStatus, undoEmailChange, syncEmailLater } from "#app/workflows/undo-email-change.ts";
import type { FlashName } from "#app/http/page/flash.messages.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import type { Route } from "./+types/route";
import { verifyMessages, verifyRevertMessages } from "./messages.ts";
import { Elsewhere, titleElsewhere, Used } from "./verify-elsewhere.tsx";
import { VerifyForm } from "./verify-form.tsx";
import { LockedForm } from "./verify-locked.tsx";
import { isRevertOver, RevertOverPage, RevertPage } from "./verify-revert.tsx";
import type { CodeProofRefusal, Proven } from "#app/modules/accounts/proof.rules.ts";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";

export const meta: Route.MetaFunction = ({ loaderData: page, matches }) => [
  { title: pageTitle(titleOf(page), matches) },
  { name: "robots", content: "noindex" },
];

function titleOf(page: Route.ComponentProps["loaderData"] | undefined): string {
  if (page?.kind === "here") return verifyMessages.en.title[page.purpose];
  if (page?.kind === "used") return verifyMessages.en.used.title;
  if (page?.kind === "elsewhere") return titleElsewhere(verifyMessages.en, page);
  return page ? verifyRevertMessages.en.title : verifyMessages.en.elsewhere.title;
}

/** A refused form also updates the page: the attempts left, or that no code is accepted any more. */
export function shouldRevalidate({ actionStatus = 0, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return (actionStatus >= 400 && actionStatus < 500) || defaultShouldRevalidate;
}

/** The email's link brings a code or token into the page, so it must not be cached. */
const uncached = { "Cache-Control": "no-store" };

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const names = { product: app.product.name, support: app.product.support };
  const token = url.searchParams.get("revert");
  if (token !== null) {
    const shown = await showRevert(app, token);
    if (shown.ok) return data({ kind: "revert" as const, ...shown.value, ...names }, { headers: uncached });
    const { reason } = shown.refusal;
    const init = { status: revertStatus(reason), headers: uncached };
    return data({ kind: "revert-over" as const, reason, ...names }, init);
  }
  const browserToken = readCookie(request, "browser");
  const shown = await showRequest(
    app,
    readId("req", url.searchParams.get("request")),
    browserToken,
    await context.get(viewerContext),
  );
  if (shown.kind === "absent") throw redirect(href("/login"), 303);
  const filledIn = readDigits(url.searchParams.get("code") ?? "");
  const page = { ...names, sender: app.emailSender, mailbox: app.mailbox, filledIn, now: app.clock() };
  switch (shown.kind) {
    case "here":
      return data({ ...sayHere(shown, page.now), ...page }, { headers: uncached });
    case "elsewhere": {
      const isCookieless = browserToken === null && !url.searchParams.has("code");
      return data({ ...sayElsewhere(shown), isCookieless, ...page }, { headers: uncached });
    }
    case "used":
      return data({ ...shown, ...page }, { headers: uncached });
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await context.get(viewerContext);
  const token = url.searchParams.get("revert");
  if (token !== null) return undoEmailChange(app, request, viewer, token);
  const form = readForm(context, verifyForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent, code, terms } = form.value;
  const browserToken = readCookie(request, "browser");
  const codeRequest = await findOwnRequest(
    app,
    readId("req", url.searchParams.get("request")),
    browserToken,
    intent === "continue-here",
  );
  if (!codeRequest) return data({ reason: "no-request" as const }, { status: 409 });
  if (intent && intent !== "passkey")
    return answerCodeButtons(
      viewer ? holdToSession(app, viewer.session, url) : app,
      request,
      { codeRequest, viewer, agrees: terms === "on" },
      intent,
    );
  const digits = intent ? null : readDigits(code ?? "");
  if (!intent && !digits) {
    return data({ reason: code ? ("code-malformed" as const) : ("code-missing" as const) }, { status: 422 });
  }
  const { ip, device, country } = describeVisitor(request);
  const limited = await findRateLimit(app, "codes", ip);
  if (limited) return refuseUntil(limited, app.clock());
  const browser = {
    browserToken: browserToken ?? "",
    sessionToken: context.get(sessionCookieContext)?.sessionToken ?? null,
    device,
    country,
    timeZone: firstTimeZone(form.value.timeZone, context.get(visitorZoneContext)),
  };
  const proven = digits
    ? await proveAddress(app, { requestId: codeRequest.id, digits, ...browser })
    : await proveWithPasskey(app, codeRequest, form.value.passkey, browser);
  if (proven.ok) return welcome(app, request, proven.value, browser.browserToken, digits ? "code" : "passkey");
  const { refusal } = proven;
  if (refusal.reason !== "proof-stale") return refuseProof(app, refusal);
  // The code is still valid: after re-authentication the user types it again.
  if (viewer)
    return askForReauthentication(app, request, viewer, {
      action: "change-email",
      to: `${href("/verify")}?request=${codeRequest.id}`,
    });
  return data({ reason: "account-not-here" as const }, { status: 409 });
}

/** After an address is verified: the referral is attributed, the browser remembered, and the user redirected to their destination. */
async function welcome(
  app: App,
  request: Request,
  proven: Proven,
  browserToken: string,
  signedInBy: "code" | "passkey",
) {
  // Once the address is verified the user is signed in, even if this fails; the cron job finds what was not attributed.
  if (proven.isNew) {
    const { accountId: friendId, carried } = proven;
    const referral = { friendId, code: carried.referralCode ?? null, ip: describeVisitor(request).ip };
    await attributeReferral(app, referral).catch(app.report);
    for (const { signedUp } of app.hooks) await signedUp?.(app, friendId).catch(app.report);
  }
  if (proven.purpose === "change-email") syncEmailLater(app, proven.accountId);
  const headers = new Headers({ "Set-Cookie": sessionCookie(await writeSessionCookie(app.pepper, proven)) });
  headers.append("Set-Cookie", browserCookie(browserToken));
  const flash = flashOf(proven);
  if (flash) headers.append("Set-Cookie", flashCookie(flash));
  const remembered = { signedInBy, ...(proven.isNew && { referral: null }) };
  const visit = await app.visits.remember(request, remembered).catch(() => null);
  if (visit) headers.append("Set-Cookie", visit);
  return redirect(afterProof(app.product, proven.carried, proven), { status: 303, headers });
}

function flashOf({ purpose, isNew }: Proven): FlashName | null {
  if (purpose === "reauthentication") return "confirmed";
  if (purpose === "change-email") return "address-changed";
  return isNew ? "welcome" : null;
}

function refuseProof(app: App, refusal: Exclude<CodeProofRefusal, { reason: "proof-stale" }> | PasskeyRefusal) {
  if (isPasskeyRefusal(refusal)) return refusePasskey(refusal);
  if ("retryAt" in refusal) return refuseUntil(refusal, app.clock());
  return data(refusal, { status: refusal.reason === "wrong-code" ? 422 : 409 });
}

export default function Verify({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  switch (page.kind) {
    case "here":
      if (page.shut) return <LockedForm page={page} shut={page.shut} refusal={refusal} />;
      return <VerifyForm page={page} refusal={refusal} />;
    case "used":
      return <Used page={page} />;
    case "elsewhere":
      return <Elsewhere page={page} refusal={refusal} />;
    case "revert":
      if (isRevertOver(refusal)) return <RevertOverPage page={{ ...page, reason: refusal.reason }} />;
      return <RevertPage page={page} />;
    case "revert-over":
      return <RevertOverPage page={page} />;
  }
}
