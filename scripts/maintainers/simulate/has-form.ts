import type { Deed } from "./story.ts";

/** Deeds on Stripe's pages, by the product's API, of the team and of banks. A visit to a page has no body either. */
const without: readonly Deed["do"][] = [
  "pays the open checkout",
  "looks at the plan",
  "uses the product",
  "reports usage",
  "is refunded",
  "has a withdrawal contested",
  "has a referral decided",
  "has a request decided",
  "has charges put on hold",
  "has the hold lifted",
  "has a debt written off",
  "disputes",
  "wins the dispute",
  "loses the dispute",
  "is reported as fraud",
];

/** Whether the deed is a form on the site, whose last byte can be late. */
export const hasForm = (deed: Pick<Deed, "do">): boolean => !without.includes(deed.do);
