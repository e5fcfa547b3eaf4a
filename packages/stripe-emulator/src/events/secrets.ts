import type { Clock } from "../time/clock.ts";
import type { EmulatorEnv } from "../env.ts";
import { newId } from "../ids.ts";
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

type Settings = Pick<EmulatorEnv, "WEBHOOK_SECRET" | "WEBHOOK_SECRET_PREVIOUS">;

/** All secrets that sign now, the newest first. */
export function secretsOf(store: Store, clock: Clock, settings: Settings): string[] {
  const roll = rollOf(store, settings);
  if (roll !== null) return roll.until > clock.now() ? [roll.secret, roll.previous] : [roll.secret];
  return [settings.WEBHOOK_SECRET, settings.WEBHOOK_SECRET_PREVIOUS ?? ""].filter((secret) => secret !== "");
}

export function rollSecret(store: Store, clock: Clock, settings: Settings, keepHours: number): SecretRoll {
  const roll: SecretRoll = {
    configured: settings.WEBHOOK_SECRET,
    secret: newId("local-whsec"),
    previous: secretsOf(store, clock, settings)[0] ?? "",
    until: clock.now() + keepHours * SECONDS_PER_HOUR,
  };
  store.writeNote(NOTE, JSON.stringify(roll));
  return roll;
}

/** A site restarted with the rolled secret has it in its configuration, and so does the emulator. */
export function rollOf(store: Store, { WEBHOOK_SECRET }: Settings): SecretRoll | null {
  const roll: SecretRoll | null = JSON.parse(store.note(NOTE) ?? "null");
  return roll !== null && [roll.configured, roll.secret].includes(WEBHOOK_SECRET) ? roll : null;
}
