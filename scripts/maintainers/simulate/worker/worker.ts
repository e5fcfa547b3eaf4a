import { EmulatorAccount, type EmulatorEnv } from "stripe-emulator/worker";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import { product } from "#app/product/config.ts";
import type { Played, Story } from "../story.ts";
import { planOf } from "./plan-of.ts";
import { playStory } from "./play-story.ts";
import { installSeededPlatform } from "./seeded-platform.ts";
import { objectDatabase } from "./object-database.ts";
import { installStripe, putOnStage } from "./install-stripe.ts";
import type { WorldEnv } from "./make-app.ts";
import { World } from "./world.ts";
import { notOfTheSite } from "./world-records.ts";

/** `MIGRATIONS` is their SQL, for a database in the object. */
type Env = WorldEnv & EmulatorEnv & { MIGRATIONS: string };

installSeededPlatform();
installStripe();

/**
 * A Stripe account, and around it the site's modules: all of them run in this object, so that no call leaves the isolate except for those to the
 * database.
 */
export class Simulation extends EmulatorAccount {
  readonly #storage: DurableObjectStorage;
  readonly #env: Env;

  constructor(ctx: DurableObjectState, env: Env) {
    // Stripe's timers fire when the story's time passes, not by an alarm.
    Object.defineProperty(ctx.storage, "setAlarm", { value: async () => undefined });
    super(ctx, env);
    this.#storage = ctx.storage;
    this.#env = env;
  }

  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).hostname !== "simulation") return super.fetch(request);
    // From our own script.
    const { story, isOnD1 } = (await request.json()) as { story: Story; isOnD1: boolean };
    return Response.json(await this.#play(story, isOnD1 ? this.#env.DB : objectDatabase(this.#storage)));
  }

  async #play(story: Story, db: D1Database): Promise<Played> {
    if (db === this.#env.DB) await emptyDatabase(db);
    else for (const statement of JSON.parse(this.#env.MIGRATIONS) as string[]) this.#storage.sql.exec(statement);
    const large = planOf(product.plans, "large");
    const gate: Gate = story.isGated && large ? { kind: "plan", planId: large.id } : { kind: "none" };
    const world = new World({ ...this.#env, DB: db }, this.account, this.#storage, story, gate);
    putOnStage(world.line);
    const played = await playStory(world, story);
    return { ...played, hash: await world.hash() };
  }
}

/** Deletes the story's own rows only. The migrations' stay. */
async function emptyDatabase(db: D1Database): Promise<void> {
  const { results } = await db
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%' and name not in (${notOfTheSite})`,
    )
    .all<{ name: string }>();
  await db.batch([
    db.prepare("pragma defer_foreign_keys = on"),
    ...results.map(({ name }) => db.prepare(`delete from "${name}"`)),
  ]);
}

export default {
  fetch(request, env) {
    return env.STRIPE_ACCOUNT.get(env.STRIPE_ACCOUNT.newUniqueId()).fetch(request);
  },
} satisfies ExportedHandler<Env>;
