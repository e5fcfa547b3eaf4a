import type { Interval } from "#app/core/time/interval.ts";

/** What the legal pages say about the product, from its config. */
export type LegalFacts = {
  product: string;
  seller: { name: string; address: readonly string[]; vatId: string | null };
  /** Further lines of the imprint. */
  imprint: readonly string[];
  support: string;
  version: string;
  withdrawalDays: number | "off";
  /** How often plans renew, of those that are sold and those that were. */
  intervals: readonly Interval[];
  /** What follows the first year of a yearly plan. */
  afterFirstTerm: "another-term" | "month-notice";
  /** Whether contracts can be cancelled without signing in. */
  hasCancellationPage: boolean;
  /** Without a free plan, only customers who pay can use the product. */
  hasFreePlan: boolean;
  /** What the place is called where one waits for an invitation. Null if nothing is by invitation. */
  waitsIn: string | null;
  /** What features store of an account, a paragraph each. */
  ofAccount: readonly string[];
  revertDays: number;
  /** Who receives error reports. Null if none are sent. */
  errorReceiver: string | null;
  /** Sections that features add to the privacy notice. */
  ofFeatures: readonly LegalSection[];
  /** Services of other companies on the site's pages, as the config declares them. */
  thirdParties: readonly LegalThirdParty[];
  /** A referred customer's discount. Null while referrals are off. */
  friendDiscount: string | null;
  /** Mailboxes and payment methods are compared, so that an offer for new customers is given once. */
  comparesCustomers: boolean;
  /** What features store of a customer and is erased with the account, as a sentence names it. */
  erased: readonly string[];
  /** For how many years after the year of a document the country of an erased customer is kept. */
  taxRecordYears: number;
};
/** `pages` says which pages load the service, and for whom. */
type LegalThirdParty = {
  name: string;
  purpose: string;
  privacyUrl: string;
  stores: readonly string[];
  pages: "public" | "account";
};

/** An https address in a text is shown as a link. */
export type LegalSection = { title: string; text: (string | string[])[] };
export type LegalText = {
  title: string;
  lead: (facts: LegalFacts) => string;
  sections: (facts: LegalFacts) => LegalSection[];
};
