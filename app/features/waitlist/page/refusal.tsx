import type { AcceptRefusal } from "../commands/accept-invitation.server.ts";
import type { LinkRefusal } from "../commands/confirm-entry.server.ts";
import type { LeaveRefusal } from "../commands/leave-waitlist.server.ts";
import type { NetworkRefusal } from "../commands/email-link.server.ts";
import type { JoinRefusal } from "../rules.ts";
import { AddressRefusalNotice } from "#app/http/forms/address-refusal.tsx";
import type { ChallengeRefusal } from "#app/http/forms/is-challenge-wanted.ts";
import type { FormRefusal } from "#app/http/forms/read-form.ts";
import type { SuggestionRefusal } from "#app/http/forms/refuse-mistyped-domain.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { waitlistMessages } from "./messages.ts";

/** Refused because of the current state. */
type EntryRefusal = JoinRefusal | LinkRefusal | LeaveRefusal | AcceptRefusal;

export type WaitlistRefusal = FormRefusal | NetworkRefusal | EntryRefusal;

/** A refusal as the page gets it: a time to wait is in seconds. */
export type ShownRefusal =
  | FormRefusal
  | SuggestionRefusal
  | ChallengeRefusal
  | EntryRefusal
  | (NetworkRefusal & { seconds: number; text: string });

/** Each refusal's status. Its message has the same name. */
export const entryRefusalStatusOf: Record<EntryRefusal["reason"], 404 | 409> = {
  "link-unknown": 404,
  "no-gate": 409,
  "list-full": 409,
  "has-account": 409,
  "account-closed": 409,
  "link-expired": 409,
  "entry-left": 409,
  "place-is-over": 409,
  "not-invited": 409,
  "invitation-over": 409,
  "invitation-used": 409,
  "invitation-elsewhere": 409,
};

export function isEntryRefusal<Refusal extends { reason: string }>(
  refusal: Refusal | EntryRefusal,
): refusal is EntryRefusal {
  return Object.hasOwn(entryRefusalStatusOf, refusal.reason);
}

export function WaitlistRefusalNotice({ refusal }: { refusal: ShownRefusal | undefined }) {
  const messages = useMessages(waitlistMessages);
  if (!refusal) return null;
  if (!isEntryRefusal(refusal))
    return <AddressRefusalNotice refusal={refusal} problems={messages.problems} onlyField="email" />;
  return (
    <Notice kind="problem" live>
      {messages.refusals[refusal.reason]}
    </Notice>
  );
}
