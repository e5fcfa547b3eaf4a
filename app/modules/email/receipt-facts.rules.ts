/**
 * Lists the facts of an invoice or a credit note in an email. Invariant: amounts and days come formatted; what they are called is the text's.
 * Called from the commands that queue such an email, and from its text.
 */
export type ReceiptFacts = {
  kind: "invoice" | "credit-note";
  /**
   * Null until the email is sent: the number is assigned in the batch that queues it, when its content is already encrypted. `withNumbers`
   * fills it in, and of a credit note the number of the document that it corrects.
   */
  number: string | null;
  corrects: string | null;
  /** The day of the document, in the seller's time zone. */
  paid: string;
  /** Null if the plan doesn't renew. */
  renewsOn: string | null;
  lines: { what: string; period: { from: string; until: string } | null; amount: string }[];
  /** What lies between the lines and the money. */
  sums: ReceiptSum[];
  /** The money that was paid or went back. */
  total: string;
  /** There is no tax, for which the seller may have a wording. Null if there is tax. */
  noTax: { exemption: string | null } | null;
  /** `none` if nothing had to be paid, null if unknown. */
  method: { name: string; last4: string | null } | "none" | null;
  seller: { name: string; address: readonly string[]; vatId: string | null };
  /** `country` is its ISO code. */
  buyer: { name: string; address: readonly string[]; country: string | null; vatIds: readonly string[] };
};

export type ReceiptSum = { amount: string } & (
  | {
      what:
        | "discount"
        | "credit"
        | "credited"
        | "carried-from"
        | "carried-to"
        | "excess"
        | "net"
        | "tax-total"
        | "reverse-charge"
        | "total";
    }
  | { what: "tax"; name: string | null; percent: string | null }
);

/** Numbers that are known once an email is sent: of its order, and of the credit note that it is about. */
export type Numbers = { order: string | null; creditNote: string | null };

/** The content of an email with the numbers that its documents lacked when it was queued: also in the link to withdraw. */
export function withNumbers<Content extends object>(content: Content, { order, creditNote }: Numbers): Content {
  const {
    receipt,
    creditNote: note,
    withdrawUrl,
  } = content as {
    receipt?: ReceiptFacts;
    creditNote?: ReceiptFacts | null;
    withdrawUrl?: string | null;
  };
  return {
    ...content,
    ...(receipt && order !== null && { receipt: { ...receipt, number: order } }),
    ...(note && { creditNote: { ...note, number: creditNote, corrects: note.corrects ?? order } }),
    ...(receipt &&
      order !== null &&
      withdrawUrl && { withdrawUrl: withdrawUrl.replace(/order=ord_\w+/, `order=${order}`) }),
  };
}
