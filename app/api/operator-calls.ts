import * as v from "valibot";
import { endEverySession } from "#app/modules/accounts/commands/end-session.server.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import { done, refused } from "#app/core/result.ts";
import { text } from "#app/core/text/text.ts";
import { readMetrics } from "#app/modules/operators/reads/read-metrics.server.ts";
import { exportMovements } from "#app/modules/operators/reads/export-movements.server.ts";
import { listReview } from "#app/modules/operators/reads/list-review.server.ts";
import { operatorLogList, withdrawalsList } from "#app/modules/operators/reads/review-lists.server.ts";
import { findPerson } from "#app/modules/operators/reads/find-person.server.ts";
import { logOperatorCall } from "#app/modules/operators/commands/log-operator-call.server.ts";
import { reviewListNames } from "#app/modules/operators/rules.ts";
import { readPage } from "#app/modules/operators/reads/read-page.server.ts";
import { showOrderToOperator } from "#app/modules/operators/reads/show-order-to-operator.server.ts";
import { unansweredWithdrawals, withdrawalStates } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { type Call } from "./call.ts";
import { called, cursorField, describeOperatorCall, findField } from "./operator-call.ts";
import { decide } from "./operator-decisions.ts";
import { featureServers, hooks } from "#app/features.server.ts";
import { emailCall, orderField, receipts } from "./operator-emails.ts";
import { renderPreview } from "./render-preview.ts";
import { replaceDemoCode } from "#app/modules/accounts/commands/replace-demo-code.server.ts";

const demoCode = describeOperatorCall({
  method: "POST",
  path: "/demo-codes",
  summary: "The code that a browser waits for, of an address that can't have a mailbox; not in production",
  body: v.object({ address: emailField }),
  problems: ["no-demo", "address-not-reserved", "no-code-requested"],
  run: (app, { operator, body: { address } }) =>
    // No subject, because addresses aren't written to the log.
    logOperatorCall(app, { operator, call: "demo-code", subject: null }, () => replaceDemoCode(app, address)),
});

const person = describeOperatorCall({
  method: "GET",
  path: "/person",
  summary: "Everything about an account, by address, order number, name, device or Stripe id",
  body: v.object({ address: v.optional(emailField), find: v.optional(findField) }),
  problems: ["no-such-person", "stripe-unreachable"],
  async run(app, { operator, body }) {
    // The log contains the id of the account that was found, never the search text.
    const found = await findPerson(app, body.address?.original ?? body.find ?? "");
    const subject = found.ok && "account" in found.value ? (found.value.account?.id ?? null) : null;
    return logOperatorCall(app, { operator, call: "person", subject }, async () => found);
  },
});

/**
 * For a customer who reports that someone else is in their account: passkeys and devices stay, since only the customer can tell which are
 * theirs.
 */
const signOut = describeOperatorCall({
  method: "POST",
  path: "/sign-outs",
  summary: "Signs an account out of every browser",
  body: v.object({ address: emailField }),
  problems: ["no-such-person"],
  async run(app, { operator, body }) {
    const [account] = await findAccountByAddress(app.db, body.address.canonical);
    const named = { operator, call: "sign-out", subject: account?.id ?? null };
    return logOperatorCall(app, named, async () =>
      account
        ? done({ ended: await endEverySession(app, account.id), told: renderPreview(app, { emails: [], pages: [] }) })
        : refused({ reason: "no-such-person" as const }),
    );
  },
});

const numbers = describeOperatorCall({
  method: "GET",
  path: "/numbers",
  summary: "Who waits, joined, pays, is behind; revenue by month; why plans were cancelled",
  body: null,
  problems: [],
  run: (app, { operator }) =>
    logOperatorCall(app, { operator, call: "numbers", subject: null }, async () => done(await readMetrics(app))),
});

const yearField = v.pipe(
  text({ missing: "year-missing", malformed: "year-malformed" }),
  v.regex(/^20\d\d$/, "year-malformed"),
  v.transform(Number),
);

const movements = describeOperatorCall({
  method: "GET",
  path: "/export",
  summary: "Every sale, refund and lost dispute of a year, with numbers and tax, oldest first",
  body: v.object({ year: yearField, after: cursorField }),
  problems: ["cursor-unknown"],
  run: (app, { operator, body }) =>
    logOperatorCall(app, { operator, call: "export", subject: String(body.year) }, () => exportMovements(app, body)),
});

const review = describeOperatorCall({
  method: "GET",
  path: "/review",
  summary: "Everything that waits for a decision; one list of it, when it is named",
  body: v.object({ list: v.optional(v.picklist(reviewListNames(hooks), "list-unknown")), after: cursorField }),
  problems: ["cursor-unknown"],
  run: (app, { operator, body }) =>
    logOperatorCall(app, { operator, call: "review", subject: body.list ?? null }, () => listReview(app, body)),
});

const order = describeOperatorCall({
  method: "GET",
  path: "/order",
  summary: "One order with its lines and what happened to it",
  body: v.object({
    order: orderField,
  }),
  problems: ["no-such-order"],
  async run(app, { operator, body }) {
    const found = await showOrderToOperator(app, body.order);
    const named = { operator, call: "order", subject: found?.id ?? null };
    return logOperatorCall(app, named, async () => {
      if (!found) return refused({ reason: "no-such-order" as const });
      return done({ ...found, refund: found.refund && renderPreview(app, found.refund) });
    });
  },
});

const withdrawals = describeOperatorCall({
  method: "GET",
  path: "/withdrawals",
  summary: "Declarations of withdrawal; those that are open, unless a state is named",
  body: v.object({ state: v.optional(v.picklist(withdrawalStates, "state-unknown")), after: cursorField }),
  problems: ["cursor-unknown"],
  run: (app, { operator, body: { state, after } }) =>
    logOperatorCall(app, { operator, call: "withdrawals", subject: state ?? null }, async () => {
      const page = await readPage(withdrawalsList(app, state ? [state] : unansweredWithdrawals), after);
      return page.ok ? done(called("withdrawals", page.value)) : page;
    }),
});

const log = describeOperatorCall({
  method: "GET",
  path: "/log",
  summary: "What operators asked and did, newest first",
  body: v.object({ after: cursorField }),
  problems: ["cursor-unknown"],
  async run(app, { body: { after } }) {
    const page = await readPage(operatorLogList(app), after);
    return page.ok ? done(called("acts", page.value)) : page;
  },
});

/** All operator calls; each is recorded in the operators' log, except for reading it. */
export const operatorCalls: readonly Call[] = [
  person,
  signOut,
  numbers,
  movements,
  ...featureServers.flatMap(({ operatorCalls: own = [] }) => own),
  review,
  decide,
  order,
  withdrawals,
  emailCall,
  receipts,
  demoCode,
  log,
];
