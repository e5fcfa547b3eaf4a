import type { EmulatedAccount } from "stripe-emulator/worker";
import type { Process } from "./process.ts";
import { Refused } from "./refused.ts";
import type { SeededScheduler } from "./seeded-scheduler.ts";
import type { WorldFaults } from "./world-faults.ts";

type StripeCall = { url: string; method: string; headers: Headers; body: string | null };

export const stripeOrigin = "http://stripe.simulated:8788";

/** All ways to the Stripe emulator: the site's calls, the dashboard's orders, and the forms on Stripe's own pages. */
export class StripeLine {
  calls = 0;
  /** Processes that are under way, by the number in the key by which they call Stripe. */
  readonly #callers = new Map<number, Process>();
  readonly #account: EmulatedAccount;
  readonly #scheduler: SeededScheduler;
  readonly #faults: WorldFaults;

  constructor(account: EmulatedAccount, scheduler: SeededScheduler, faults: WorldFaults) {
    this.#account = account;
    this.#scheduler = scheduler;
    this.#faults = faults;
  }

  connect(process: Process): void {
    this.#callers.set(process.id, process);
  }

  disconnect({ id }: Process): void {
    this.#callers.delete(id);
  }

  /** A call from the site or from the team. */
  async answer({ url, method, headers, body }: StripeCall): Promise<Response> {
    const [, number] = /^Bearer local-(\d+)$/.exec(headers.get("Authorization") ?? "") ?? [];
    const process = this.#callers.get(Number(number));
    this.calls += 1;
    // With a form's own content type, the runtime warns about every body that is read as text.
    headers.set("Content-Type", "text/plain");
    const make = async () => {
      const fault = process && this.#faults.takeStripeFault();
      if (fault === "before") throw new TypeError("Network connection lost.");
      const answer = await this.#account.fetch(
        new Request(url, { method, headers, ...(method === "GET" ? {} : { body }) }),
      );
      const text = await answer.text();
      if (fault === "after") throw new TypeError("Network connection lost.");
      return readAnswer(answer, text);
    };
    if (!process) return Number(number) === 0 ? make() : new Promise(() => undefined);
    return process.call(() => this.#scheduler.call(make));
  }

  async control(order: string, body: object): Promise<void> {
    const answer = await this.#account.fetch(
      new Request(`${stripeOrigin}/control/${order}`, { method: "POST", body: JSON.stringify(body) }),
    );
    if (!answer.ok) throw new Refused(`Stripe: ${(await answer.text()).slice(0, 200)}`);
    await answer.body?.cancel();
  }

  /** Submits a form on one of Stripe's pages; returns where it leads. */
  async send(url: string, fields: Record<string, string>): Promise<string> {
    const answer = await this.#account.fetch(
      new Request(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) }),
    );
    await answer.body?.cancel();
    if (answer.status >= 400) throw new Refused(`the page answered ${answer.status}`);
    return new URL(answer.headers.get("Location") ?? "", url).href;
  }
}

/** What Stripe's SDK reads of an answer. The body is there already. */
function readAnswer({ status, headers }: Response, text: string): Response {
  const answer = {
    status,
    headers,
    ok: status < 300,
    body: null,
    text: async () => text,
    json: async () => JSON.parse(text) as unknown,
  };
  return answer as unknown as Response;
}
