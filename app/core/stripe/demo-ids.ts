/**
 * Ids of Stripe objects that `npm run demo:seed` loads into a deployed database: they were created by the emulator, and no Stripe account
 * has them.
 */
const demoId = /^[a-z_]+_demo_[A-Za-z0-9]+$/;

export const isDemoId = (value: string): boolean => demoId.test(value);

/** Turns each id of a Stripe object in a stored value into a demo id. Our own ids have other prefixes, and a demo id stays as it is. */
export function toDemoIds(stored: string): string {
  return stored.replaceAll(
    /\b(sub_sched|sub|cus|in|cs|pi|ch|py|re|pyr|price|pm|cbtxn|evt)_(?!demo_)(?=[A-Za-z0-9]{14,})/g,
    "$1_demo_",
  );
}
