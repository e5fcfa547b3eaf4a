import type { Clock } from "../time/clock.ts";
import { newId } from "../ids.ts";
import type { Settings } from "../settings.ts";
import type { Store } from "../store.ts";

const SECONDS_PER_HOUR = 3_600;
const NOTE = "webhook_secret_roll";

/** A new secret replaced an older one, which also signs until `until` (unix seconds of the account's clock). */
export interface SecretRoll {
  /** The configured secret at that time. A different configuration ends the roll. */
  configured: string;
  secret: string;
  previous: string;
  until: number;
}

type Secrets = Pick<Settings, "webhookSecret" | "webhookSecretPrevious">;

/** All secrets that sign now, the newest first. */
export function secretsOf(store: Store, clock: Clock, settings: Secrets): string[] {
  const roll = rollOf(store, settings);
  if (roll !== null) return roll.until > clock.now() ? [roll.secret, roll.previous] : [roll.secret];
  return [settings.webhookSecret, settings.webhookSecretPrevious].filter((secret) => secret !== "");
}

export function rollSecret(store: Store, clock: Clock, settings: Secrets, keepHours: number): SecretRoll {
  const roll: SecretRoll = {
    configured: settings.webhookSecret,
    secret: newId("local-whsec"),
    previous: secretsOf(store, clock, settings)[0] ?? "",
    until: clock.now() + keepHours * SECONDS_PER_HOUR,
  };
  store.writeNote(NOTE, JSON.stringify(roll));
  return roll;
}

/** A site restarted with the rolled secret has it in its configuration, and so does the emulator. */
export function rollOf(store: Store, { webhookSecret }: Secrets): SecretRoll | null {
  const roll: SecretRoll | null = JSON.parse(store.note(NOTE) ?? "null");
  return roll !== null && [roll.configured, roll.secret].includes(webhookSecret) ? roll : null;
}
