import type { Deed } from "../../story.ts";
import { Customer, type Quoted } from "./customer.ts";
import { DeviceOwner } from "./device-owner.ts";
import { downloadsData } from "./downloads-data.ts";
import { Person } from "./person.ts";
import { plainMailbox } from "../plain-mailbox.ts";
import type { WorldApp } from "../make-app.ts";
import { Refused } from "../refused.ts";
import { Team } from "./team.ts";
import { simulatedGates } from "../features.ts";
import type { GateVisitor } from "../simulated-gate.ts";
import type { World } from "../world.ts";

/** Waits for the last byte of the form. With `session`, what it asks for needs a session, which may end in the meantime. */
type HoldBack = (kind: "session" | "public") => Promise<void>;

/** Forms that need no session: nothing is read before they have arrived. */
const withoutSession: readonly Deed["do"][] = [
  "signs up",
  "mistypes a code",
  "signs in",
  "signs in on another browser",
  "signs out",
  "takes the old address back",
  "declares a cancellation",
  "asks to be let in",
  "confirms the request",
  "gives the place up",
  "still wants to join",
  "accepts an invitation",
];

type Member = { person: Person; customer: Customer; devices: DeviceOwner; gate: GateVisitor | null };

export class Cast {
  readonly world: World;
  readonly quoted: Quoted = new Map();
  readonly #people = new Map<string, Member>();

  /** All that people did or tried. */
  readonly deeds: { at: number; who: string; deed: Deed }[] = [];
  readonly #team: Team;

  constructor(world: World) {
    this.world = world;
    this.#team = new Team(world, (person) => this.customerOf(person));
  }

  get people(): Person[] {
    return [...this.#people.values()].map(({ person }) => person);
  }

  meet(name: string): Member {
    const met = this.#people.get(name);
    if (met) return met;
    const person = new Person(this.world, name, this.#people.size);
    const known = (other: string) => this.#people.get(other)?.person;
    const made = {
      person,
      customer: new Customer(person, this.quoted, known),
      devices: new DeviceOwner(person),
      gate: simulatedGates[0]?.meet(person) ?? null,
    };
    this.#people.set(name, made);
    return made;
  }

  /** The mailbox that an account signed up with, however it was spelled. */
  mailboxOf(accountId: string): string | null {
    const owner = this.people.find((person) => person.accountIds.has(accountId));
    const address =
      owner && [...owner.typed].find(([text, { accounts }]) => text.includes("@") && accounts.has(accountId))?.[0];
    return address ? plainMailbox(address) : null;
  }

  /** The code in a friend's link, by which someone arrives. */
  async codeOf(app: WorldApp, name: string | undefined): Promise<string | null> {
    if (name === undefined) return null;
    const friend = this.#people.get(name);
    return friend?.person.cookie ? friend.customer.linkCode(app).catch(() => null) : null;
  }

  /** One deed, as one run of the Worker. Refusals are thrown. */
  async play(app: WorldApp, who: string, deed: Deed & { id: number }, holdBack: HoldBack): Promise<void> {
    const { person, customer, devices, gate } = this.meet(who);
    this.deeds.push({ at: this.world.now(), who, deed });
    /** The session is read when the form begins to arrive, and the rest happens once it has. */
    const signedIn = async () => {
      const ready = await customer.signedIn(app);
      await holdBack("session");
      return ready;
    };
    const isPublic = withoutSession.includes(deed.do) || (deed.do === "withdraws" && deed.as === "anyone");
    if (isPublic) await holdBack("public");
    const looks = async () => {
      if (person.accountId) await customer.looks(app, person.accountId);
    };
    switch (deed.do) {
      case "signs up":
        person.network = deed.network ?? person.network;
        return person.signsUp(app, deed.address, await this.codeOf(app, deed.by));
      case "mistypes a code":
        return person.mistypes(app);
      case "signs in":
        return person.signsIn(app);
      case "signs in on another browser":
        return person.signsInElsewhere(app);
      case "signs out":
        return person.signsOut(app);
      case "signs out everywhere":
        return person.signsOutEverywhere(await signedIn());
      case "buys": {
        const seen = await customer.seesPlan(app, deed.plan, deed.interval);
        const url = await customer.choosesPlan(await signedIn(), seen);
        await customer.pays(url, deed.with);
        return deed.returns ? looks() : undefined;
      }
      case "leaves the checkout": {
        const seen = await customer.seesPlan(app, deed.plan, deed.interval);
        await customer.choosesPlan(await signedIn(), seen);
        return;
      }
      case "pays the open checkout":
        if (!person.checkout) throw new Refused("no checkout");
        return customer.pays(person.checkout, deed.with);
      case "changes plan": {
        const seen = await customer.seesPlan(app, deed.plan, deed.interval);
        await customer.changesPlan(await signedIn(), seen);
        return looks();
      }
      case "cancels":
        return customer.acts(await signedIn(), "cancel");
      case "declares a cancellation":
        return customer.declaresCancellation(app, deed);
      case "takes the declaration back":
        return customer.takesDeclarationBack(await signedIn());
      case "resumes":
        return customer.acts(await signedIn(), "resume");
      case "keeps the plan":
        return customer.acts(await signedIn(), "undo-change");
      case "changes card":
        return customer.changesCard(await signedIn(), deed.with);
      case "pays what is due":
        return customer.paysDue(await signedIn());
      case "looks at the plan":
        await person.viewer(app);
        return looks();
      case "withdraws":
        return customer.withdraws(app, deed.order, deed.as, () => holdBack("public"));
      case "closes the account":
        return customer.closes(await signedIn());
      case "restores the account":
        return customer.restores(await signedIn());
      case "changes address":
        return person.changesAddress(app, await signedIn(), deed.address);
      case "takes the old address back":
        return customer.takesAddressBack(app);
      case "changes name":
        return customer.changesName(await signedIn());
      case "downloads the data":
        return downloadsData(await signedIn(), this.people);
      case "activates a device":
        return devices.activates(await signedIn(), deed.id);
      case "uses the product":
        return devices.uses(app);
      case "reports usage":
        return devices.reportsUsage(app, deed);
      case "removes a device":
        return devices.removesDevice(await signedIn());
      case "asks to be let in":
        person.network = deed.network ?? person.network;
        return gate?.asks(app, deed.address, this.#addressOf(deed.by));
      case "confirms the request":
        return gate?.confirms(app);
      case "gives the place up":
        return gate?.leaves(app);
      case "still wants to join":
        return gate?.stillWantsToJoin(app);
      case "accepts an invitation":
        return gate?.accepts(app);
      case "is refunded":
        return this.#team.refunds(person, deed);
      case "has a withdrawal contested":
        return this.#team.contests(app, person);
      case "has a referral decided":
        return this.#team.decides(app, person, deed.verdict);
      case "has a request decided":
        return gate?.isDecided(app, deed.verdict);
      case "has charges put on hold":
        return this.#team.holds(person, deed.invoices);
      case "has the hold lifted":
        return this.#team.lifts(person);
      case "has a debt written off":
        return this.#team.writesOff(person, deed.as);
      case "disputes":
        return this.#team.disputes(person, deed.order, null);
      case "wins the dispute":
        return this.#team.disputes(person, null, "won");
      case "loses the dispute":
        return this.#team.disputes(person, null, "lost");
      case "is reported as fraud":
        return this.#team.warns(person, deed.order);
    }
  }

  #addressOf(name: string | undefined): string | null {
    return (name === undefined ? null : this.#people.get(name)?.person.address) ?? null;
  }

  customerOf(person: Person): string | null {
    return person.accountId === null ? null : this.world.records.customerOf(person.accountId);
  }
}
