import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { acceptInvitation } from "#app/modules/waitlist/commands/accept-invitation.server.ts";
import { confirmEntry } from "#app/modules/waitlist/commands/confirm-entry.server.ts";
import { joinWaitlist } from "#app/modules/waitlist/commands/join-waitlist.server.ts";
import { leaveWaitlist } from "#app/modules/waitlist/commands/leave-waitlist.server.ts";
import { requeueEntry } from "#app/modules/waitlist/commands/requeue-entry.server.ts";
import type { WorldApp } from "../make-app.ts";
import { must } from "../must.ts";
import { canonicalOf } from "#app/modules/accounts/rules.ts";
import { ofNoAccount, type Person, parsed } from "./person.ts";
import { Refused } from "../refused.ts";

/** What someone does on the waitlist, by the links that reached them. */
export class WaitlistMember {
  readonly person: Person;
  /** The token of the page that a confirmation leads to. */
  #confirmed: string | null = null;

  constructor(person: Person) {
    this.person = person;
  }

  async joins(app: WorldApp, address: string, ref: string | null): Promise<void> {
    if (gateWord(app.gate) === null) throw new Refused("no waitlist");
    const { person } = this;
    // Anyone may enter any address: an entry is an account's once that account has proven its address.
    person.types(address, person.address === address ? person.accountId : ofNoAccount);
    person.address ??= address;
    must(await joinWaitlist(app, { address: parsed(address), ref, ip: person.ip }));
  }

  async confirms(app: WorldApp): Promise<void> {
    const token = this.#newestLink("confirm");
    if (!token) throw new Refused("no link arrived");
    this.#confirmed = must(await confirmEntry(app, token, this.person.ip)).entryToken;
  }

  async leaves(app: WorldApp): Promise<void> {
    must(await leaveWaitlist(app, this.#entryToken()));
  }

  async stillWantsToJoin(app: WorldApp): Promise<void> {
    must(await requeueEntry(app, this.#entryToken()));
  }

  async accepts(app: WorldApp): Promise<void> {
    const { cookie } = this.person;
    const token = this.#entryToken();
    const viewer = cookie && (await findSignedIn(app, cookie));
    must(await acceptInvitation(app, token, viewer && { canonical: canonicalOf(viewer.account) }));
  }

  /** The token of the entry that the last email was about, or else of the one that was confirmed last. */
  #entryToken(): string {
    const token = this.#newestLink("entry") ?? this.#confirmed;
    if (!token) throw new Refused("no entry");
    return token;
  }

  #newestLink(name: "confirm" | "entry"): string | null {
    const { typed, world } = this.person;
    const email = world.emails.findLast(({ to, text }) => typed.has(to) && text.includes(`?${name}=`));
    const [, token] = new RegExp(`\\?${name}=([^\\s&]+)`).exec(email?.text ?? "") ?? [];
    return token === undefined ? null : decodeURIComponent(token);
  }
}
