import { intervals } from "#app/core/time/interval.ts";
import { freePlan } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { legalMessages } from "#app/product/legal/messages.ts";

const facts = {
  product: product.name,
  seller: product.seller,
  imprint: [],
  support: product.support,
  version: product.terms.version,
  withdrawalDays: product.withdrawalDays,
  intervals,
  afterFirstTerm: product.afterFirstTerm,
  hasCancellationPage: true,
  hasFreePlan: freePlan(product) !== null,
  waitsIn: "the queue",
  ofAccount: [],
  revertDays: 0,
  errorReceiver: null,
  ofFeatures: [],
  thirdParties: [],
  friendDiscount: null,
  comparesCustomers: false,
  erased: [],
  taxRecordYears: 10,
};

type Facts = Parameters<(typeof legalMessages.en.terms)["sections"]>[0];

/** What the legal pages say of the product, without referrals and error reports. A team's own pages may need fewer facts. */
export const legalFacts: Facts = facts;
export const legalFactsWith = (changes: object): Facts => ({ ...facts, ...changes });
