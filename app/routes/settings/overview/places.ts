import type { FlashName } from "#app/root.messages.ts";

/** Parts of `/settings` by their fragments. */
type Place =
  | "top"
  | "profile"
  | "mails"
  | "address"
  | "passkeys"
  | "sessions"
  | "appearance"
  | "start"
  /** Also the part that has an account back. */
  | "leaving";

/** What each act is answered with, and the part where its answer stands: whoever acted is led there. */
const answers = {
  profile: { flash: "profile-saved", place: "profile" },
  mails: { flash: "mails-saved", place: "mails" },
  "change-email": { flash: "address-changed", place: "address" },
  "add-passkey": { flash: "passkey-added", place: "passkeys" },
  "remove-passkey": { flash: "passkey-removed", place: "passkeys" },
  "end-session": { flash: "session-ended", place: "sessions" },
  "end-other-sessions": { flash: "other-sessions-ended", place: "sessions" },
  appearance: { flash: "appearance-saved", place: "appearance" },
  delete: { flash: "leaving-begun", place: "leaving" },
  restore: { flash: "restored", place: "top" },
} as const satisfies Record<string, { flash: FlashName; place: Place }>;

export type OverviewIntent = keyof typeof answers;

export function answerTo(intent: OverviewIntent): { flash: FlashName; place: Place } {
  return answers[intent];
}

/** Where a form's fields stand that were typed before. */
export function placeOfTyped(typed: Record<string, string>): Place | null {
  if (isIntent(typed["intent"])) return answers[typed["intent"]].place;
  return typed["email"] === undefined ? null : "address";
}

/** Where the form stands whose answer this is. */
export function placeOfRefusal(refusal: { reason: string; typed?: Record<string, string> }): Place | null {
  if (refusal.typed) return placeOfTyped(refusal.typed);
  if (refusal.reason === "session-unknown") return "sessions";
  return null;
}

/** Where a flash stands; after a re-authentication that is where `typed` was on its way to. */
export function placeOf(flash: FlashName, typed: Record<string, string>): Place {
  if (flash === "confirmed") return placeOfTyped(typed) ?? "top";
  return Object.values(answers).find((answer) => answer.flash === flash)?.place ?? "top";
}

function isIntent(word: string | undefined): word is OverviewIntent {
  return word !== undefined && word in answers;
}

/** The question before a passkey is removed: the address of a page that points at it asks. */
export function removalOf(passkeyId: string): string {
  return `remove-${encodeURIComponent(passkeyId)}`;
}
