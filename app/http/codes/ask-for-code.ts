import { data, redirect, href } from "react-router";
import type { App } from "#app/app.ts";
import { checkNewAddress } from "#app/modules/accounts/address-change.rules.ts";
import { retryCodeEmail } from "#app/modules/accounts/commands/retry-code-email.server.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import { openUnsentRequest } from "#app/modules/accounts/commands/open-unsent-request.server.ts";
import { browserCookie, flashCookie } from "../request/cookies.ts";
import { type CodeRequest, requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import type { Code } from "#app/modules/accounts/codes/rules.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { type EmailAddress, parseStoredAddress } from "#app/core/text/email-address.ts";
import { newToken, type RequestId } from "#app/core/id.ts";
import { refused } from "#app/core/result.ts";
import { askChallenge, proveHuman } from "#app/http/forms/ask-challenge.ts";
import { refuseUntil } from "#app/http/forms/refuse-until.ts";
import { listPasskeys } from "#app/modules/accounts/passkeys/queries.server.ts";
import type { FlashName } from "#app/http/page/flash.messages.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import type { FormRefusal } from "../forms/read-form.ts";
import { describeVisitor } from "../request/visitor.ts";

type Input = Pick<CodeRequest, "address" | "purpose" | "carried" | "accountId"> & {
  /** For a form that may show a challenge: the answer to it, and what was typed. */
  challenge?: { answer: Readonly<Record<string, string>>; typed: Record<string, string | undefined> };
  /** The form that made the request. A button that needs a challenge and has no place for one leads there. */
  formPath?: string;
  /** The request whose page asked for another code. */
  again?: Code;
  /** Finds the pending action in this browser, to show it when the email quota is used up. Null if there is none. */
  openUnsent?: (browserToken: string) => Promise<{ requestId: RequestId } | null>;
};

/**
 * How sign-up, sign-in and verify respond to a request for a code: redirect to the verify page, in a browser bound to the request; or 429
 * with the time to wait. The same for addresses with and without an account.
 */
export async function askForCode(app: App, request: Request, input: Input) {
  const visitor = describeVisitor(request);
  const limited = await findRateLimit(app, "codes", visitor.ip);
  if (limited) return refuseUntil(limited, app.clock());
  const browserToken = visitor.browserToken ?? newToken(app.random);
  if (input.again && (await retryCodeEmail(app, input.again)))
    return redirect(`${href("/verify")}?request=${input.again.id}`, 303);
  const again = input.again !== undefined;
  const { purpose } = input;
  const form = purpose === "sign-up" || purpose === "sign-in" ? purpose : null;
  const proof = form ? await proveHuman(app, form, input.challenge?.answer ?? {}) : "off";
  const requested = await requestCode(app, { ...input, proof, again, browserToken, ip: visitor.ip });
  if (requested.ok) return waitFor(requested.value.requestId, browserToken, again ? "code-sent" : undefined);
  if (form && requested.refusal.reason === "challenge-wanted") {
    const typed = input.challenge?.typed;
    return typed
      ? askChallenge(app, requested.refusal, { form, proof, typed })
      : redirect(input.formPath ?? href(form === "sign-up" ? "/signup" : "/login"), 303);
  }
  const unsent = await input.openUnsent?.(browserToken);
  return unsent ? waitFor(unsent.requestId, browserToken) : refuseUntil(requested.refusal, app.clock());
}

function waitFor(requestId: RequestId, browserToken: string, flash?: FlashName) {
  const headers = new Headers({ "Set-Cookie": browserCookie(browserToken) });
  if (flash) headers.append("Set-Cookie", flashCookie(flash));
  return redirect(`${href("/verify")}?request=${requestId}`, { status: 303, headers });
}

/**
 * A sensitive action was requested and the last re-authentication is too old: ask for a code first, or a passkey, which also works when
 * the email quota is used up. Afterwards the user returns to the form with everything still filled in.
 */
export function askForReauthentication(
  app: App,
  request: Request,
  viewer: Viewer,
  back: { action: SensitiveAction | undefined; to: string; typed?: object },
  again?: Code,
) {
  const address = parseStoredAddress(viewer.account.email);
  const accountId = viewer.account.id;
  const carried = { action: back.action, redirectTo: back.to, typed: back.typed && textsOf(back.typed) };
  const openUnsent = async (browserToken: string) => {
    const passkeys = await listPasskeys(app.db, accountId);
    return passkeys.length > 0 ? openUnsentRequest(app, { address, browserToken, carried, accountId }) : null;
  };
  const input = { address, purpose: "reauthentication", carried, accountId } as const;
  // Requested on the page that is already waiting for a code: the user wants another email.
  return askForCode(app, request, again ? { ...input, again } : { ...input, openUnsent });
}

function textsOf(fields: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}

/**
 * Change of address: sends a code to the new address once the user has recently re-authenticated. The response is the same whether or not
 * the new address has an account. Requesting again requires re-authentication again.
 */
export async function askForAddressChange(
  app: App,
  request: Request,
  viewer: Viewer,
  address: EmailAddress,
  again?: Code,
) {
  const to = `${href("/settings/security")}#email`;
  const refusal = checkNewAddress(viewer, address, app.clock());
  if (refusal?.reason === "proof-stale") {
    await logOutcome(app, viewer, "address-changed", refused(refusal));
    const typed = { email: address.original };
    return askForReauthentication(app, request, viewer, { action: "change-email", to, typed });
  }
  if (refusal) {
    const errors = [{ field: "email", problem: refusal.reason }];
    const unchanged: FormRefusal = {
      reason: "invalid-fields",
      status: 422,
      errors,
      typed: { email: address.original },
    };
    return data(unchanged, { status: 422 });
  }
  const accountId = viewer.account.id;
  return askForCode(app, request, {
    address,
    purpose: "change-email",
    carried: { redirectTo: `${href("/settings/security")}#address` },
    accountId,
    again,
  });
}
