import { pages } from "#tests/support/billing/catalogue.ts";

/** CPU of each page beside its floor, as `npm run bench -- pages` printed it: copied here at each release, so that a regression shows. */
export const recorded: { version: string; timesFloor: Readonly<Record<string, number>> } = {
  version: "0.1.0",
  timesFloor: {
    "/settings": 1.77,
    "/settings/profile": 1.62,
    "/settings/security": 1.94,
    "/settings/notifications": 1.68,
    "/settings/data": 2.24,
    [pages.account]: 2.2,
    [pages.preferences]: 2.02,
    [pages.plan]: 1.69,
    "/settings/orders": 1.87,
    "/settings/referral": 2.29,
    "/settings/upgrade": 1.9,
  },
};
