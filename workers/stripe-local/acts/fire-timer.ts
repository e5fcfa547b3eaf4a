import type { Books } from "../books.ts";
import type { Timer } from "../clock.ts";
import { demand } from "../objects/find.ts";
import { runOutOfTime } from "./dispute-charge.ts";
import { expireSession, progressOf, settleDebit } from "./checkout.ts";
import { settleRefund } from "./refund-charge.ts";
import { endPeriod } from "./renew-subscription.ts";

/** What falls due by the clock alone. */
export function fireTimer(books: Books, { kind, object }: Timer): void {
  switch (kind) {
    case "session-expires":
      expireSession(books, demand(books, "checkout_session", object));
      return;
    case "bank-debit-settles": {
      const session = demand(books, "checkout_session", object);
      settleDebit(books, session, progressOf(books, session).bank_debit_end ?? "succeeds");
      return;
    }
    case "refund-settles":
      settleRefund(books, demand(books, "refund", object));
      return;
    case "dispute-moves":
      runOutOfTime(books, demand(books, "dispute", object));
      return;
    case "subscription-period-ends":
      endPeriod(books, demand(books, "subscription", object));
      return;
  }
}
