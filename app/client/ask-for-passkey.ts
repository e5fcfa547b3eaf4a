/**
 * Runs WebAuthn ceremonies in the page. The library is a separate chunk, loaded when the user presses the button or when the browser can
 * offer passkeys among an address field's suggestions; no page waits for it.
 */
import { href } from "react-router";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { PasskeyProblem } from "./passkey-refusal.messages.ts";

type SignInOptions = PublicKeyCredentialRequestOptionsJSON;
export type PasskeyOffer<Options = SignInOptions | PublicKeyCredentialCreationOptionsJSON> = {
  options: Options;
  freshForMs: number;
};

/** What is posted, or the message to show. */
type Outcome = { ok: true; text: string } | { ok: false; problem: PasskeyProblem };

export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Opens the browser's own dialog, and creates or uses a passkey. */
export async function askForPasskey({ options }: PasskeyOffer): Promise<Outcome> {
  try {
    const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
    const answer =
      "user" in options
        ? await startRegistration({ optionsJSON: options })
        : await startAuthentication({ optionsJSON: options });
    return { ok: true, text: JSON.stringify(answer) };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** Error names from the WebAuthn standard. Not reported: a dialog that was closed isn't a bug. */
function problemOf(error: unknown): PasskeyProblem {
  switch (error instanceof Error && error.name) {
    case "NotAllowedError":
    case "AbortError":
      return "passkey-cancelled";
    case "InvalidStateError":
      return "passkey-known";
    default:
      return "passkey-failed";
  }
}

/** A new challenge for a page that has been open for a while. Null where the site offers none. Throws if the site can't be reached. */
export async function fetchOffer(ceremony: string): Promise<PasskeyOffer | null> {
  const answer = await fetch(`${href("/passkey-offer")}?${new URLSearchParams({ for: ceremony })}`);
  if (!answer.ok) throw new Error(`No offer: ${answer.status}`);
  // The site's own response, from the same build.
  const { offer } = (await answer.json()) as { offer: PasskeyOffer | null };
  return offer;
}

/**
 * Waits behind the address field until the user picks a passkey from its suggestions, with a new challenge before the old one expires. Null
 * if it ended otherwise: passkeys aren't supported, the button was pressed, or `signal` aborted.
 */
export async function waitForAutofill(first: PasskeyOffer, signal: AbortSignal): Promise<string | null> {
  if (!knowsPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  const { startAuthentication, WebAuthnAbortService } = await import("@simplewebauthn/browser");
  let isWaiting = false;
  // After the button was pressed, the running ceremony is the button's and must not be aborted here.
  const stop = () => isWaiting && WebAuthnAbortService.cancelCeremony();
  signal.addEventListener("abort", stop);
  let offer: PasskeyOffer | null = first;
  while (offer && !("user" in offer.options) && !signal.aborted) {
    let isOld = false;
    const age = () => {
      isOld = true;
      stop();
    };
    const timer = setTimeout(age, offer.freshForMs);
    isWaiting = true;
    try {
      return JSON.stringify(await startAuthentication({ optionsJSON: offer.options, useBrowserAutofill: true }));
    } catch {
      if (!isOld) return null;
    } finally {
      isWaiting = false;
      clearTimeout(timer);
    }
    await untilVisible();
    offer = await fetchOffer("sign-in").catch(() => null);
  }
  return null;
}

/** A page in the background requests nothing, so this waits until it is visible. */
function untilVisible(): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
  });
}
