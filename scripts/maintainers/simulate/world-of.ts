import { deathOf, deathOfCron } from "./fate-of.ts";
import { dayMinutes, type PlannedStep } from "./planned-step.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { WorldChange } from "./story.ts";

const worldChangeDays = 20;

/** Plans the faults around the site, which come and go. */
export function worldOf(random: SeededRandom, days: number): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const add = (at: number, change: WorldChange) => steps.push({ at: Math.floor(at), ...change } as PlannedStep);
  for (let at = 0; ;) {
    at += Math.max(30, -Math.log(1 - random.next()) * worldChangeDays * dayMinutes);
    if (at > days * dayMinutes) return steps;
    const endsAt = at + (1 + random.below(5 * 24)) * 60;
    const kind = random.next();
    if (kind < 0.3) {
      add(at, { do: "webhooks arrive", how: random.pick(["late", "twice", "in reverse", "never"] as const) });
      add(endsAt, { do: "webhooks arrive", how: "promptly" });
    } else if (kind < 0.42) {
      add(at, { do: "email", works: false });
      add(Math.min(endsAt, at + 12 * 60), { do: "email", works: true });
    } else if (kind < 0.62) {
      add(at, {
        do: "Stripe fails",
        how: random.pick(["before", "after", "429", "500", "html"] as const),
        times: 1 + random.below(6),
      });
    } else if (kind < 0.8) {
      add(at, {
        do: "the database fails",
        when: random.pick(["before", "after"] as const),
        oneIn: random.pick([1, 4, 15, 40]),
        times: 1 + random.below(6),
      });
    } else if (kind < 0.94) {
      const during = random.pick(["cron", "cron", "webhook"] as const);
      add(at, { do: "the Worker dies", during, dies: during === "cron" ? deathOfCron(random) : deathOf(random) });
    } else add(at, { do: "everything settles" });
  }
}
