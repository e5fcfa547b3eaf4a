import { done, refused } from "#app/core/result.ts";
import type { OutgoingEmail } from "#app/integrations/email/email-transport.ts";
import type { Process } from "./process.ts";
import type { WorldFaults } from "./world-faults.ts";

export type SentEmail = OutgoingEmail & { at: number };

/** The email service, with everything that it took. */
export class PostOffice {
  readonly emails: SentEmail[] = [];
  readonly #sentBy = new Map<SentEmail, Process>();
  readonly #unanswered = new Set<SentEmail>();
  #triesWhileDown = 0;
  readonly #faults: WorldFaults;
  readonly #now: () => number;

  constructor(faults: WorldFaults, now: () => number) {
    this.#faults = faults;
    this.#now = now;
  }

  send(process: Process, email: OutgoingEmail) {
    const { isEmailDown } = this.#faults;
    if (isEmailDown) this.#triesWhileDown += 1;
    // Every fifth of these emails is sent, and its answer is lost.
    const isUnanswered = isEmailDown && this.#triesWhileDown % 5 === 0;
    if (isEmailDown && !isUnanswered) return refused({ reason: "email-down" as const });
    const sent = { ...email, at: this.#now() };
    this.emails.push(sent);
    this.#sentBy.set(sent, process);
    if (isUnanswered) this.#unanswered.add(sent);
    return isUnanswered ? refused({ reason: "email-down" as const }) : done({ serviceId: null });
  }

  /** Whether the email is sent again rather than never: its answer was lost, or its process or the database failed before it was stored. */
  mayBeSentAgain(email: SentEmail): boolean {
    if (this.#unanswered.has(email)) return true;
    const process = this.#sentBy.get(email);
    return process !== undefined && (process.isDead || (process.databaseFailedAt ?? 0) >= email.at);
  }
}
