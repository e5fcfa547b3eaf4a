/**
 * Lists the facts of a receipt in an email. Invariant: amounts and days come formatted; what they are called is the text's. Called from
 * the commands that queue a receipt, and from its text.
 */
export type ReceiptFacts = {
  /**
   * Null until the email is sent: the number is assigned in the batch that queues it, when its content is already encrypted. `withNumber`
   * fills it in.
   */
  number: string | null;
  paid: string;
  /** Null if the plan doesn't renew. */
  renewsOn: string | null;
  lines: { what: string; period: { from: string; until: string } | null; amount: string }[];
  /** What lies between the lines and the total. */
  sums: ReceiptSum[];
  hasNoTax: boolean;
  /** `none` if nothing had to be paid, null if unknown. */
  method: { name: string; last4: string | null } | "none" | null;
  seller: { name: string; address: readonly string[]; vatId: string | null };
  /** `country` is its ISO code. */
  buyer: { name: string; address: readonly string[]; country: string | null; vatIds: readonly string[] };
};

export type ReceiptSum = { amount: string } & (
  | {
      what: "discount" | "credit" | "credited" | "carried-from" | "carried-to" | "net" | "tax-total" | "reverse-charge";
    }
  | { what: "tax"; name: string | null; percent: string | null }
);

/** The content of an email with the number of its order, if it is a receipt without one: also in its link to withdraw. */
export function withNumber<Content extends object>(content: Content, number: string | null): Content {
  if (!("receipt" in content) || number === null) return content;
  const { receipt, withdrawUrl } = content as { receipt?: ReceiptFacts; withdrawUrl?: string | null };
  if (!receipt) return content;
  const link = withdrawUrl ? { withdrawUrl: withdrawUrl.replace(/order=ord_\w+/, `order=${number}`) } : {};
  return { ...content, receipt: { ...receipt, number }, ...link };
}
