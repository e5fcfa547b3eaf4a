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
  /** A referred customer's discount; null: referrals are off. */
  friendDiscount: string | null;
};
export type LegalSection = { title: string; text: (string | string[])[] };
export type LegalText = {
  title: string;
  lead: (facts: LegalFacts) => string;
  sections: (facts: LegalFacts) => LegalSection[];
};
