import * as v from "valibot";
import { endEverySession } from "#app/domain/accounts/end-session.server.ts";
import { emailField } from "#app/domain/accounts/rules.ts";
import { findAccountByAddress } from "#app/domain/accounts/store.server.ts";
import { done, refused } from "#app/domain/kernel/result.ts";
import { text } from "#app/domain/kernel/text.ts";
import { spellInstants } from "#app/domain/kernel/time.ts";
import { resendMail } from "#app/domain/mail/resend-mail.server.ts";
import { countNumbers } from "#app/domain/operators/count-numbers.server.ts";
import { listReview } from "#app/domain/operators/list-review.server.ts";
import { noteAct } from "#app/domain/operators/note-act.server.ts";
import { listedMax } from "#app/domain/operators/rules.ts";
import { showOrder } from "#app/domain/operators/show-order.server.ts";
import { showPerson } from "#app/domain/operators/show-person.server.ts";
import { listOperatorActs } from "#app/domain/operators/store.server.ts";
import { readMeantOrder, withdrawalStates } from "#app/domain/orders/withdrawals.rules.ts";
import { listWithdrawalsWithRefunds } from "#app/domain/orders/list-withdrawals.server.ts";
import { type Call } from "./call.ts";
import { describeOperatorCall, idField } from "./operator-call.ts";
import { gateWord } from "#app/domain/product/rules.ts";
import { entryStates } from "#app/domain/waitlist/rules.ts";
import { listLine } from "#app/domain/waitlist/review.store.server.ts";
import { decide, invite } from "./operator-decisions.ts";

const person = describeOperatorCall({
  method: "GET",
  path: "/person",
  summary: "Everything about somebody, by address",
  body: v.object({ address: emailField }),
  problems: ["no-such-person"],
  async run(app, { operator, body }) {
    // Whose address was asked for is not for the log before it is an account's.
    const found = await showPerson(app, body.address);
    const act = { operator, call: "person", subject: found?.account?.id ?? null };
    return noteAct(app, act, async () => (found ? done(found) : refused({ reason: "no-such-person" as const })));
  },
});

/** For whoever says that somebody else is in their account: passkeys and devices stay, which only they can tell apart. */
const signOut = describeOperatorCall({
  method: "POST",
  path: "/sign-outs",
  summary: "Signs somebody out of every browser",
  body: v.object({ address: emailField }),
  problems: ["no-such-person"],
  async run(app, { operator, body }) {
    const [account] = await findAccountByAddress(app.db, body.address.canonical);
    const act = { operator, call: "sign-out", subject: account?.id ?? null };
    return noteAct(app, act, async () =>
      account
        ? done({ ended: await endEverySession(app, account.id) })
        : refused({ reason: "no-such-person" as const }),
    );
  },
});

const numbers = describeOperatorCall({
  method: "GET",
  path: "/numbers",
  summary: "Who waits, joined, pays, is behind; revenue by month",
  body: null,
  problems: [],
  run: (app, { operator }) =>
    noteAct(app, { operator, call: "numbers", subject: null }, async () => done(await countNumbers(app))),
});

const review = describeOperatorCall({
  method: "GET",
  path: "/review",
  summary: "Everything that waits for somebody's decision",
  body: null,
  problems: [],
  run: (app, { operator }) =>
    noteAct(app, { operator, call: "review", subject: null }, async () => done(await listReview(app))),
});

const entries = describeOperatorCall({
  method: "GET",
  path: "/entries",
  summary: "The line before the gate that is closed, in its order; those of another state, when one is named",
  body: v.object({ state: v.optional(v.picklist(entryStates, "state-unknown"), "waiting") }),
  problems: ["no-gate"],
  run: (app, { operator, body: { state } }) =>
    noteAct(app, { operator, call: "entries", subject: state }, async () => {
      const gate = gateWord(app.gate);
      if (gate === null) return refused({ reason: "no-gate" as const });
      return done({ gate, entries: await listLine(app.db, gate, state) });
    }),
});

const order = describeOperatorCall({
  method: "GET",
  path: "/order",
  summary: "One order with its lines and what happened to it",
  body: v.object({
    order: v.pipe(
      text({ missing: "order-missing", malformed: "order-malformed" }),
      v.transform(readMeantOrder),
      v.nonNullable(v.any(), "order-malformed"),
    ),
  }),
  problems: ["no-such-order"],
  async run(app, { operator, body }) {
    const found = await showOrder(app, body.order);
    const act = { operator, call: "order", subject: found?.id ?? null };
    return noteAct(app, act, async () => (found ? done(found) : refused({ reason: "no-such-order" as const })));
  },
});

const openWithdrawals = ["declared", "acknowledged"] as const;

const withdrawals = describeOperatorCall({
  method: "GET",
  path: "/withdrawals",
  summary: "Declarations of withdrawal; those that are open, unless a state is named",
  body: v.object({ state: v.optional(v.picklist(withdrawalStates, "state-unknown")) }),
  problems: [],
  run: (app, { operator, body: { state } }) =>
    noteAct(app, { operator, call: "withdrawals", subject: state ?? null }, async () =>
      done({ withdrawals: await listWithdrawalsWithRefunds(app, state ? [state] : openWithdrawals, listedMax) }),
    ),
});

const mails = describeOperatorCall({
  method: "POST",
  path: "/mails",
  summary: "Tries a mail again that waits or failed",
  body: v.object({ mail: idField("mail") }),
  problems: ["no-such-mail", "mail-sent", "mail-wiped"],
  run: (app, { operator, body: { mail } }) =>
    noteAct(app, { operator, call: "resend-mail", subject: mail }, () => resendMail(app, mail)),
});

const log = describeOperatorCall({
  method: "GET",
  path: "/log",
  summary: "What operators asked and did, newest first",
  body: null,
  problems: [],
  run: async (app) => done({ acts: spellInstants(await listOperatorActs(app.db, listedMax)) }),
});

/** All calls of the operators; each stands in their log, but for reading it. */
export const operatorCalls: readonly Call[] = [
  ...[person, signOut, numbers, invite, entries, review, decide, order, withdrawals, mails, log],
];
