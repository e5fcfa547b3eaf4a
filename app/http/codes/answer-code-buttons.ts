import { data, redirect, href } from "react-router";
import { type App, gatekeeperOf } from "#app/app.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { Carried, Code } from "#app/modules/accounts/codes/rules.ts";
import { parseStoredAddress } from "#app/core/text/email-address.ts";
import { askForAddressChange, askForCode, askForReauthentication } from "./ask-for-code.ts";
import type { FormRefusal } from "../forms/read-form.ts";

/** `agrees` is consent to the terms, given in this browser. */
type Asking = { codeRequest: Code; viewer: Viewer | null; agrees?: boolean };

/** The buttons beside the code: another address, another email, or continuing in this browser instead of the one that requested it. */
export async function answerCodeButtons(
  app: App,
  request: Request,
  { codeRequest, viewer, agrees = false }: Asking,
  intent: "change-address" | "resend" | "continue-here",
) {
  switch (intent) {
    case "change-address":
      return redirect(await formBefore(app, codeRequest), 303);
    case "resend":
      return resendCode(app, request, { codeRequest, viewer });
    case "continue-here":
      return continueHere(app, request, codeRequest, agrees);
  }
}

async function resendCode(app: App, request: Request, { codeRequest, viewer }: Asking) {
  const { purpose, carried, addressTyped } = codeRequest;
  const address = parseStoredAddress(addressTyped);
  if (purpose === "sign-up" || purpose === "sign-in") {
    const formPath = await formBefore(app, codeRequest);
    return askForCode(app, request, { address, purpose, carried, formPath, again: codeRequest });
  }
  // An action on an account is requested again by its signed-in user.
  if (!viewer || viewer.account.id !== codeRequest.accountId)
    return data({ reason: "account-not-here" as const }, { status: 409 });
  if (purpose === "change-email") return askForAddressChange(app, request, viewer, address, codeRequest);
  const { action, redirectTo: to = href("/settings"), typed } = carried;
  const back = { action, to, typed };
  return askForReauthentication(app, request, viewer, back, codeRequest);
}

/**
 * From another browser's request, this one takes only the address and the purpose: the person who typed the address there need not be the
 * one who reads the email here. Sign-up needs consent, so it is given again; an invitation belongs to the address, and the form says when
 * one is missing.
 */
async function continueHere(app: App, request: Request, { purpose, addressTyped, carried }: Code, agrees: boolean) {
  const address = parseStoredAddress(addressTyped);
  const { entryId } = carried;
  switch (purpose) {
    case "sign-up":
      if (app.gate.kind === "signup" && !entryId) return redirect(href("/signup"), 303);
      if (!agrees) return data(termsMissing, { status: termsMissing.status });
      return askForCode(app, request, {
        address,
        purpose,
        carried: { typedElsewhere: true, termsVersion: app.product.terms.version, entryId },
        formPath: `${href("/signup")}?${new URLSearchParams(await invitationOf(app, carried))}`,
      });
    case "sign-in":
      return askForCode(app, request, { address, purpose, carried: { typedElsewhere: true } });
    case "change-email":
    case "reauthentication":
      return data({ reason: "asked-elsewhere" as const }, { status: 409 });
  }
}

const termsMissing: FormRefusal = {
  reason: "invalid-fields",
  status: 422,
  errors: [{ field: "terms", problem: "terms-missing" }],
  typed: {},
};

/** The form that made the request, filled in again; the typed values are found by the request's id and this browser's cookie. */
async function formBefore(app: App, { id, purpose, carried }: Code): Promise<string> {
  const { planId, interval, redirectTo } = carried;
  const query = new URLSearchParams({ again: id, ...(await invitationOf(app, carried)) });
  if (planId) query.set("plan", planId);
  if (planId && interval) query.set("interval", interval);
  if (redirectTo) query.set("redirectTo", redirectTo);
  switch (purpose) {
    case "sign-in":
      return `${href("/login")}?${query}`;
    case "sign-up":
      return `${href("/signup")}?${query}`;
    case "change-email":
      return `${href("/settings/security")}?continue=${id}#email`;
    case "reauthentication":
      return href("/settings");
  }
}

/** The invitation that opened the form, so that it opens again. */
async function invitationOf(app: App, { entryId }: Carried): Promise<Record<string, string>> {
  const token = entryId && (await gatekeeperOf(app)?.invitationToken(app, entryId));
  return token ? { invitation: token } : {};
}
