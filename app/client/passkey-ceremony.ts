/**
 * A page's talk with an authenticator. The library that does it is a chunk of its own, which loads when somebody presses the button or
 * when the browser can offer passkeys among an address field's suggestions; no page waits for it.
 */
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

/** What is posted, or what to tell the person. */
export type Outcome = { ok: true; text: string } | { ok: false; problem: PasskeyProblem };

export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Shows the browser's own dialog, and makes or uses a passkey. */
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

/** The standard's names for what went wrong. No more of it is told: a dialog that was closed is no bug. */
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

/** A new one from the site, for a page that has stood open; null where it has nothing to offer. Throws when it can't be reached. */
export async function fetchOffer(ceremony: string): Promise<PasskeyOffer | null> {
  const answer = await fetch(`/passkey-offer?${new URLSearchParams({ for: ceremony })}`);
  if (!answer.ok) throw new Error(`No offer: ${answer.status}`);
  // The site's own answer, from the same build.
  const { offer } = (await answer.json()) as { offer: PasskeyOffer | null };
  return offer;
}

/**
 * Waits behind the address field until somebody chooses a passkey among its suggestions, with a new challenge before the old one runs
 * out. Null when it has ended otherwise: the browser can't, the button was pressed, or `signal` says so.
 */
export async function waitForAutofill(first: PasskeyOffer, signal: AbortSignal): Promise<string | null> {
  if (!knowsPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  const { startAuthentication, WebAuthnAbortService } = await import("@simplewebauthn/browser");
  let isWaiting = false;
  // Once the button was pressed the ceremony under way is that one, and not ours to stop.
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

/** A page in the background asks for nothing. */
function untilVisible(): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
  });
}
