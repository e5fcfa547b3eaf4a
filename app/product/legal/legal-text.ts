/** What the legal pages say about the product, from its config. */
export type LegalFacts = {
  product: string;
  seller: { name: string; address: readonly string[]; vatId: string | null };
  /** Further lines of the imprint. */
  imprint: readonly string[];
  support: string;
  version: string;
  withdrawalDays: number | "off";
  /** Without one, only customers who pay can use the product. */
  hasFreePlan: boolean;
  revertDays: number;
  /** Who receives error reports; null: none are sent. */
  errorReceiver: string | null;
  /** Who checks that a suspicious visitor is a person; null: no one. */
  captcha: string | null;
  /** Services of other companies on the site's pages, as the config declares them. */
  thirdParties: readonly LegalThirdParty[];
  /** A referred customer's discount; null: referrals are off. */
  friendDiscount: string | null;
};
/** `pages`: which pages load it, for whom. */
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
