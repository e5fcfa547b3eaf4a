import { pattern } from "#tests/support/billing/catalogue.ts";

/** What a message is called with in place of a text that a test doesn't know, such as a masked address. */
export const gap = "{gap}";

/** A message that was called with `gap`: each gap matches, and captures, what `inGap` matches. */
export function fillGaps(message: string, inGap = /.+/): RegExp {
  const parts = message.split(gap).map((part) => pattern`${part}`.source);
  return new RegExp(parts.join(`(${inGap.source})`));
}

/** What a message that was called with `gap` says before its first gap: enough of a button's label to find it. */
export function beginningOf(message: string): string {
  return message.slice(0, message.indexOf(gap)).trimEnd();
}

/** A message in which any numbers match and are captured: seconds to wait, tries that are left. */
export function anyNumbersIn(message: string): RegExp {
  return fillGaps(message.replaceAll(/\d+/g, gap), /\d+/);
}
