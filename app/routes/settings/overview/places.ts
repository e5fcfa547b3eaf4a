import type { PasskeyId } from "#app/core/id.ts";
import type { FlashName } from "#app/root.messages.ts";

/** Sections of `/settings` by their fragments. */
type Place =
  | "top"
  | "profile"
  | "mails"
  | "address"
  | "passkeys"
  | "sessions"
  | "appearance"
  | "start"
  /** Also the section that restores an account. */
  | "leaving";

/** The response of each command, and the section that shows it and receives focus. */
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

/** The section of the form whose fields were typed before. */
export function placeOfTyped(typed: Record<string, string>): Place | null {
  if (isIntent(typed["intent"])) return answers[typed["intent"]].place;
  return typed["email"] === undefined ? null : "address";
}

/** The section of the form that this response is for. */
export function placeOfRefusal(refusal: { reason: string; typed?: Record<string, string> }): Place | null {
  if (refusal.typed) return placeOfTyped(refusal.typed);
  if (refusal.reason === "session-unknown") return "sessions";
  return null;
}

/** The section that shows a flash; after re-authentication, the one that `typed` was for. */
export function placeOf(flash: FlashName, typed: Record<string, string>): Place {
  if (flash === "confirmed") return placeOfTyped(typed) ?? "top";
  return Object.values(answers).find((answer) => answer.flash === flash)?.place ?? "top";
}

function isIntent(word: string | undefined): word is OverviewIntent {
  return word !== undefined && word in answers;
}

/** The confirmation before a passkey is removed: a URL with its fragment opens it. */
export function removalOf(passkeyId: PasskeyId): string {
  return `remove-${encodeURIComponent(passkeyId)}`;
}
