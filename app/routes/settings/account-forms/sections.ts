import { href } from "react-router";
import type { PasskeyId } from "#app/core/id.ts";
import type { FlashName } from "#app/http/page/flash.messages.ts";

/** Sections of the account pages by their fragments. */
type Section =
  | "top"
  | "profile"
  | "appearance"
  | "address"
  | "passkeys"
  | "sessions"
  | "mails"
  | "start"
  /** Also the section that restores an account. */
  | "leaving";

type Answer = {
  flash: FlashName;
  /** The page that has the form. */
  page: string;
  /** Its section, which shows the answer and receives focus. */
  section: Section;
  /** Where the answer is shown, if that is another page. */
  shownOn?: string;
};

/** The form of each command, and its response. */
const answers = {
  profile: { flash: "profile-saved", page: href("/settings/profile"), section: "profile" },
  appearance: { flash: "appearance-saved", page: href("/settings/profile"), section: "appearance" },
  "change-email": { flash: "address-changed", page: href("/settings/security"), section: "address" },
  "add-passkey": { flash: "passkey-added", page: href("/settings/security"), section: "passkeys" },
  "remove-passkey": { flash: "passkey-removed", page: href("/settings/security"), section: "passkeys" },
  "end-session": { flash: "session-ended", page: href("/settings/security"), section: "sessions" },
  "end-other-sessions": { flash: "other-sessions-ended", page: href("/settings/security"), section: "sessions" },
  mails: { flash: "mails-saved", page: href("/settings/notifications"), section: "mails" },
  delete: { flash: "account-closed", page: href("/settings/data"), section: "leaving", shownOn: href("/settings") },
  restore: { flash: "restored", page: href("/settings"), section: "top" },
} as const satisfies Record<string, Answer>;

export type AccountIntent = keyof typeof answers;

/** Where and how the success of a command is shown. */
export function answerTo(intent: AccountIntent): { flash: FlashName; path: string } {
  const { flash, page, section, shownOn = page }: Answer = answers[intent];
  return { flash, path: `${shownOn}#${section}` };
}

/** Where the user returns after re-authentication: the command's form or, for a passkey's removal, its confirmation. */
export function pathOfForm(intent: AccountIntent, passkeyId?: PasskeyId): string {
  const { page, section } = answers[intent];
  return `${page}#${passkeyId ? removalOf(passkeyId) : section}`;
}

/** The section of the form that the user filled in before re-authentication. */
export function sectionOfTyped(typed: Record<string, string>): Section | null {
  if (isIntent(typed["intent"])) return answers[typed["intent"]].section;
  return typed["email"] === undefined ? null : "address";
}

export function sectionOfRefusal(refusal: { reason: string; typed?: Record<string, string> }): Section | null {
  if (refusal.typed) return sectionOfTyped(refusal.typed);
  if (refusal.reason === "session-unknown") return "sessions";
  return null;
}

/** The section that shows a flash; after re-authentication, the one that `typed` was for. */
export function sectionOfFlash(flash: FlashName, typed: Record<string, string>): Section {
  if (flash === "confirmed") return sectionOfTyped(typed) ?? "top";
  return Object.values(answers).find((answer) => answer.flash === flash)?.section ?? "top";
}

function isIntent(word: string | undefined): word is AccountIntent {
  return word !== undefined && word in answers;
}

/** The id of the confirmation before a passkey is removed. A URL with this fragment opens it. */
export function removalOf(passkeyId: PasskeyId): string {
  return `remove-${encodeURIComponent(passkeyId)}`;
}
