import type { AcceptRefusal } from "#app/domain/waitlist/accept-invitation.server.ts";
import type { LinkRefusal } from "#app/domain/waitlist/confirm-entry.server.ts";
import type { LeaveRefusal } from "#app/domain/waitlist/leave-waitlist.server.ts";
import type { NetworkRefusal } from "#app/domain/waitlist/mail-link.server.ts";
import type { ShutReason } from "#app/domain/waitlist/rules.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import type { FormRefusal } from "#app/request/read-form.ts";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { waitlistWords } from "./waitlist.words.ts";

/** Every way in which an act of this page can be refused. */
export type WaitlistRefusal = FormRefusal | NetworkRefusal | ShutReason | LinkRefusal | LeaveRefusal | AcceptRefusal;

/** As the page gets it: a time to wait is told in seconds. */
export type ShownRefusal = Exclude<WaitlistRefusal, NetworkRefusal> | (NetworkRefusal & { seconds: number });

export function WaitlistRefusalNotice({ refusal }: { refusal: ShownRefusal | undefined }) {
  const words = useWords(waitlistWords);
  switch (refusal?.reason) {
    case undefined:
      return null;
    case "malformed-form":
    case "duplicated-field":
    case "form-too-large":
    case "form-too-slow":
    case "invalid-fields":
    case "too-many-from-network":
      return <FormRefusalNotice refusal={refusal} problems={words.problems} />;
    case "no-gate":
    case "list-full":
    case "has-account":
    case "account-leaving":
    case "link-unknown":
    case "link-expired":
    case "entry-left":
    case "place-is-over":
    case "not-invited":
    case "invitation-over":
    case "invitation-used":
    case "invitation-elsewhere":
      return (
        <Notice kind="problem" live>
          {words.refusals[refusal.reason]}
        </Notice>
      );
  }
}
