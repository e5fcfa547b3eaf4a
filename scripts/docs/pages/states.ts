import { subscriptionStatuses } from "#app/core/stripe/states.ts";
import { paymentStatusOf, orderTransitions } from "#app/modules/orders/rules.ts";
import { referralTransitions } from "#app/modules/referrals/rules.ts";
import { policies, stateOf } from "#app/modules/subscriptions/rules.ts";
import { entryTransitions } from "#app/modules/waitlist/rules.ts";
import { contractStages, contractTable } from "#app/modules/withdrawals/contract-table.rules.ts";
import { withdrawalTransitions } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { type Constant, isWords } from "../constants.ts";
import { code, codes, type Page, section, sentence, table } from "../markdown.ts";
import { stateLists } from "../schema.ts";

type Transitions = Readonly<Record<string, readonly string[]>>;

const transitions: Readonly<Record<string, Transitions>> = {
  "orders.state": orderTransitions,
  "entries.state": entryTransitions,
  "withdrawals.state": withdrawalTransitions,
  "referrals.state": referralTransitions,
};

export function statesPage(constants: readonly Constant[]): Page {
  return {
    file: "states.md",
    title: "States",
    about: [
      "Closed lists that a CHECK of the table enforces, with the transitions between states where a table in the code allows them: there, a change",
      "that isn't listed can't happen, since each is one statement that names the states it may leave. A subscription can enter any state, as",
      "Stripe says.",
    ].join("\n"),
    sections: [
      ...stateLists.map(({ name, states, meanings }) => section(code(name), statesOf(name, states, meanings))),
      subscriptionPolicies(),
      stripeStatuses(),
      paymentPages(),
      contracts(),
      otherLists(constants),
    ],
  };
}

function statesOf(name: string, states: string[], meanings: ReadonlyMap<string, string>): string {
  const allowed = transitions[name];
  const rows = states.map((state) => [
    code(state),
    ...(allowed ? [codes(allowed[state] ?? [], "nothing")] : []),
    sentence(meanings.get(state) ?? ""),
  ]);
  return table(["value", ...(allowed ? ["may become"] : []), "meaning"], rows);
}

function subscriptionPolicies(): string {
  const yes = (is: boolean) => (is ? "yes" : "no");
  const rows = Object.entries(policies).map(([state, policy]) => [
    code(state),
    ...[policy.keepsPlan, policy.hasAccess, policy.maySubscribe, policy.needsPayment].map(yes),
  ]);
  return section(
    "What a subscription's state allows",
    "From `policies` in `app/modules/subscriptions/rules.ts`.",
    table(["state", "keeps plan", "has access", "may subscribe", "needs payment"], rows),
  );
}

function stripeStatuses(): string {
  const rows = subscriptionStatuses.map((status) => [code(status), code(stateOf(status, null, 0))]);
  return section(
    "Stripe's subscription statuses",
    [
      "`past_due` is `past-due-locked` once `graceMs` have passed. `active` is `incomplete` until an invoice of the subscription is paid, since",
      "with a bank debit Stripe says so days before the money arrives.",
    ].join("\n"),
    table(["Stripe", "ours"], rows),
  );
}

function paymentPages(): string {
  const rows = Object.entries(paymentStatusOf).map(([state, page]) => [code(state), code(`/payment/${page}`)]);
  return section("Payment page of each order state", table(["order", "page"], rows));
}

function contracts(): string {
  const rows = Object.entries(contractTable).flatMap(([reason, byAmount]) =>
    Object.entries(byAmount).map(([amount, { subscription, owed, declaration, offered }]) =>
      [reason, amount, subscription, owed, declaration, offered].map(code),
    ),
  );
  return section(
    "Refunds within a contract",
    `The same for each order of a contract (${codes(contractStages)}); [the guide](../guides/billing.md) says how.`,
    table(["cause", "how much", "plan", "also owed", "declaration", "offered"], rows),
  );
}

/** Listed above with its meanings. */
function isState(list: readonly string[]): boolean {
  return stateLists.some(({ states }) => states.join() === list.join());
}

function otherLists(constants: readonly Constant[]): string {
  const lists = constants.filter(({ value }) => isWords(value) && !isState(value));
  const rows = lists.map(({ file, name, value }) => [code(name), code(file), codes(value as string[])]);
  return section("Lists in the code", table(["list", "file", "words"], rows));
}
