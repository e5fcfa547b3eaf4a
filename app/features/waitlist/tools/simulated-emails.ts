import { anyone, type Cause, never } from "../../../../scripts/maintainers/simulate/worker/invariants/cause.ts";
import type { WaitlistEmail } from "../emails.messages.ts";

const ofEntry = (condition: string) =>
  `exists (select 1 from entries e where ${condition} and (e.id = m.recipient_id
    or e.email_canonical = (select email_canonical from accounts a where a.id = m.recipient_id)))`;

/** The cause of each of its emails, in a simulated story. */
export const waitlistCauses: Record<WaitlistEmail["template"], Cause> = {
  "waitlist-confirm": anyone("asks to be let in"),
  "waitlist-place": anyone("asks to be let in"),
  "waitlist-invited": { rows: ofEntry("e.invited_at is not null") },
  "waitlist-reminder": { rows: ofEntry("e.reminded_at is not null") },
  "waitlist-joined": { rows: ofEntry("e.joined_at is not null") },
  "doors-open": never,
};
