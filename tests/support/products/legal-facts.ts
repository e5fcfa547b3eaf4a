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
  hasCancellationPage: true,
  hasFreePlan: freePlan(product) !== null,
  revertDays: 0,
  errorReceiver: null,
  captcha: null,
  thirdParties: [],
  friendDiscount: null,
  comparesCustomers: false,
  taxRecordYears: 10,
};

/**
 * What the legal pages say of the product, without referrals and error reports. Apart from the facts, since a team's own pages may need
 * fewer.
 */
export const legalFacts: Parameters<(typeof legalMessages.en.terms)["sections"]>[0] = facts;
