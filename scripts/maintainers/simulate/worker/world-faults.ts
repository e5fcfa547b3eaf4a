import type { SeededRandom } from "../seeded-random.ts";
import type { Death, WorldStep } from "../story.ts";

/** Sends an order to the Stripe emulator. */
type Control = (order: string, body: object) => Promise<void>;

type DatabaseFault = { when: "before" | "after"; oneIn: number; times: number };
type StripeFault = { how: "before" | "after"; times: number };

/** The faults that are pending around the site. */
export class WorldFaults {
  webhooks: (WorldStep & { do: "webhooks arrive" })["how"] = "promptly";
  isEmailDown = false;
  #ofStripe: StripeFault | null = null;
  #ofDatabase: DatabaseFault | null = null;
  #deaths: { during: "cron" | "webhook"; dies: Death }[] = [];

  async change(step: WorldStep, control: Control): Promise<void> {
    switch (step.do) {
      case "webhooks arrive":
        this.webhooks = step.how;
        return;
      case "email":
        this.isEmailDown = !step.works;
        return;
      case "the Worker dies":
        this.#deaths.push({ during: step.during, dies: step.dies });
        return;
      case "Stripe fails":
        if (step.how === "before" || step.how === "after") this.#ofStripe = { how: step.how, times: step.times };
        else await control("disorder", { apiFault: { kind: step.how, next: step.times } });
        return;
      case "the database fails":
        this.#ofDatabase = { when: step.when, oneIn: step.oneIn, times: step.times };
        return;
      case "everything settles":
    }
  }

  async heal(control: Control): Promise<void> {
    this.webhooks = "promptly";
    this.isEmailDown = false;
    this.#ofStripe = null;
    this.#ofDatabase = null;
    this.#deaths = [];
    await control("disorder", {});
  }

  get isStripeReached(): boolean {
    return this.#ofStripe === null;
  }

  /** Whether the next call to Stripe is lost on its way there, or on its way back. */
  takeStripeFault(): "before" | "after" | null {
    const fault = this.#ofStripe;
    if (!fault || fault.times <= 0) return null;
    this.#ofStripe = fault.times === 1 ? null : { ...fault, times: fault.times - 1 };
    return fault.how;
  }

  get isDatabaseReached(): boolean {
    return this.#ofDatabase === null;
  }

  /** Whether the next call to the database fails, and whether it is written all the same. */
  takeDatabaseFault(random: SeededRandom): "before" | "after" | null {
    const fault = this.#ofDatabase;
    if (!fault || fault.times <= 0 || random.below(fault.oneIn) > 0) return null;
    this.#ofDatabase = fault.times === 1 ? null : { ...fault, times: fault.times - 1 };
    return fault.when;
  }

  giveBack(dies: Death): void {
    this.#deaths.push({ during: "cron", dies });
  }

  takeDeath(during: "cron" | "webhook"): Death | undefined {
    const index = this.#deaths.findIndex((death) => death.during === during);
    return index === -1 ? undefined : this.#deaths.splice(index, 1)[0]?.dies;
  }
}
