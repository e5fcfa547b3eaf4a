import { formatDay, type Reader } from "#app/core/time/time.ts";
import { formatWantedDay } from "#app/modules/billing/cancellations/confirmation-email.server.ts";
import { cancelMessages } from "./messages.ts";

/** About a cancellation that isn't carried out yet, which the plan's owner can take back. */
export function sayWaiting({ endsOn, declaredAt }: { endsOn: string | null; declaredAt: number }, reader: Reader) {
  const { text, textSoon } = cancelMessages.en.waiting;
  const on = formatDay(declaredAt, reader);
  const day = formatWantedDay(endsOn, reader);
  return day === null ? textSoon(on) : text(day, on);
}
