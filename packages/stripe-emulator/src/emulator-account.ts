import { DurableObject } from "cloudflare:workers";
import { EmulatedAccount } from "./emulated-account.ts";
import type { EmulatorEnv } from "./env.ts";
import { readOrderKeys } from "./settings.ts";

/** The account in a Durable Object. */
export class EmulatorAccount extends DurableObject<EmulatorEnv> {
  readonly account: EmulatedAccount;

  constructor(ctx: DurableObjectState, env: EmulatorEnv) {
    super(ctx, env);
    const { storage } = ctx;
    this.account = new EmulatedAccount(
      {
        sql: storage.sql,
        transactionSync: (change) => storage.transactionSync(change),
        waitUntil: (work) => ctx.waitUntil(work),
        setAlarm: (at) => storage.setAlarm(at),
      },
      {
        siteOrigin: env.SITE_ORIGIN,
        webhookSecret: env.WEBHOOK_SECRET,
        webhookSecretPrevious: env.WEBHOOK_SECRET_PREVIOUS ?? "",
        afterLastRetry: env.AFTER_LAST_RETRY ?? "",
        orderKeys: readOrderKeys(env.ORDER_KEYS ?? ""),
      },
    );
  }

  override fetch(request: Request): Promise<Response> {
    return this.account.fetch(request);
  }

  override alarm(): Promise<void> {
    return this.account.alarm();
  }
}
