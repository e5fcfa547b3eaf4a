import { done, refused } from "#app/core/result.ts";
import type { OutgoingEmail } from "#app/integrations/email/email-transport.ts";
import type { Process } from "./process.ts";
import type { WorldFaults } from "./world-faults.ts";

export type SentEmail = OutgoingEmail & { at: number };

/** The email service, with everything that it took. */
export class PostOffice {
  readonly emails: SentEmail[] = [];
  readonly #sentBy = new Map<SentEmail, Process>();
  readonly #faults: WorldFaults;
  readonly #now: () => number;

  constructor(faults: WorldFaults, now: () => number) {
    this.#faults = faults;
    this.#now = now;
  }

  send(process: Process, email: OutgoingEmail) {
    if (this.#faults.isEmailDown) return refused({ reason: "mail-down" as const });
    const sent = { ...email, at: this.#now() };
    this.emails.push(sent);
    this.#sentBy.set(sent, process);
    return done({ serviceId: null });
  }

  /** Its process died, or the database failed, before that the email was sent could be stored: it is sent again rather than never. */
  mayBeSentAgain(email: SentEmail): boolean {
    const process = this.#sentBy.get(email);
    return process !== undefined && (process.isDead || (process.databaseFailedAt ?? 0) >= email.at);
  }
}
