import type { PaymentProvider } from "./payment-provider.ts";

/** `acts`: done because a user requested it now. `follows`: upkeep that any sync does as well. `reads`: changes nothing. */
const kinds = {
  createCustomer: "acts",
  deleteCustomer: "acts",
  openCheckout: "acts",
  isCheckoutOpen: "reads",
  expireCheckout: "acts",
  expireOtherCheckouts: "acts",
  fetchBilling: "reads",
  changeEmail: "follows",
  previewChange: "reads",
  changePlan: "acts",
  findChangeBlocker: "reads",
  scheduleChange: "acts",
  releaseChange: "acts",
  changeScheduleCard: "follows",
  restoreDeferredChange: "follows",
  dropDeferredChange: "follows",
  payInvoice: "acts",
  finalizeInvoice: "follows",
  voidInvoice: "acts",
  labelInvoice: "follows",
  findPayer: "reads",
  findOwner: "reads",
  findSold: "reads",
  changeCancellation: "acts",
  endSubscription: "acts",
  endUnpaid: "acts",
  isPaymentInProcess: "reads",
  refundRest: "follows",
  openPortal: "acts",
  listBalanceTransactions: "reads",
  addBalanceTransaction: "acts",
  listPaidMethods: "reads",
  findInvoicePage: "reads",
  findPaidMethod: "reads",
  payFriendDiscount: "follows",
  hasPrices: "reads",
  readEvent: "reads",
  listEvents: "reads",
  withOwnDeadline: "reads",
} as const satisfies Record<keyof PaymentProvider, "acts" | "follows" | "reads">;

/** The same provider, but `demand` must pass immediately before the first mutating call. Later calls belong to an action that has begun. */
export function demandBeforeActing(provider: PaymentProvider, demand: () => Promise<void>): PaymentProvider {
  let demanded: Promise<void> | null = null;
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || !isActing(name)) return member;
      return async (...args: unknown[]): Promise<unknown> => {
        demanded ??= demand();
        await demanded;
        return Reflect.apply(member, target, args) as Promise<unknown>;
      };
    },
  });
}

function isActing(name: string | symbol): boolean {
  return typeof name === "string" && name in kinds && kinds[name as keyof PaymentProvider] === "acts";
}
