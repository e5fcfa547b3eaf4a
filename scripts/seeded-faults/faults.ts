import type { Fault } from "./fault.ts";
import { moduleFaults } from "./module-faults.ts";
import { platformFaults } from "./platform-faults.ts";

export const faults: Fault[] = [
  ...moduleFaults,
  ...platformFaults,
  {
    name: "simulation: a mailbox is whatever was typed",
    file: "app/core/text/email-address.ts",
    find: "  return `${plain || canonical.slice(0, at)}@${rule?.domains[0] ?? domain}`;",
    replace: "  return plain ? canonical : `${canonical.slice(0, at)}@${rule?.domains[0] ?? domain}`;",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: a payment method earns a friend discount again",
    file: "app/modules/referrals/open-discount.queries.server.ts",
    find: "when ${knownMailbox} or ${knownMethod} then 'refused'",
    replace: "when ${knownMailbox} then 'refused'",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: a plan continues after what it was bought by was refunded",
    file: "app/modules/withdrawals/contract-table.rules.ts",
    find: "operator: { part: untouched, full: ends },",
    replace: "operator: { part: untouched, full: { ...ends, ...untouched } },",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: rewards mature while a withdrawal is open",
    file: "app/modules/withdrawals/contract.queries.server.ts",
    find: "return hasOpenWithdrawal(sql`${order}.account_id`);",
    replace: "return sql`(${hasOpenWithdrawal(sql`${order}.account_id`)} and 0)`;",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: each failed renewal has a grace period",
    file: "app/modules/subscriptions/rules.ts",
    find: "      createdAt > since - unpaidGraceWindowMs,",
    replace: "      createdAt > since,",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: seats stay after a plan ended",
    file: "app/modules/devices/commands/reduce-seats.server.ts",
    find: 'for (const input of ["due" as const, { until: now }]) {',
    replace: 'for (const input of ["due" as const, { until: now }].slice(2)) {',
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: a new card waits for Stripe's own retry",
    file: "app/modules/billing-sync/retries.rules.ts",
    find: '.filter(({ state, billingReason, attempts }) => state === "open" && billingReason === "renewal" && attempts > 0)',
    replace:
      '.filter(({ state, billingReason, attempts }) => state === "open" && billingReason === "renewal" && attempts > 99)',
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: a payment is tried as often as the button is pressed",
    file: "app/modules/billing-sync/retries.rules.ts",
    find: "export const manualRetriesPerDayMax = 5;",
    replace: "export const manualRetriesPerDayMax = 50;",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: a form that arrives after its session ended is carried out",
    file: "app/http/session/hold-to-session.server.ts",
    find: "  return {\n    ...app,\n    db:",
    replace: "  if (Number(session.id.length) > 0) return app;\n  return {\n    ...app,\n    db:",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
  {
    name: "simulation: a second waitlist entry of a mailbox counts for its friend",
    file: "app/modules/waitlist/confirming.queries.server.ts",
    find: "(${isSameMailbox} or ${isOfCluster})",
    replace: "((${isSameMailbox} and 0) or ${isOfCluster})",
    suite: "simulate",
    tests: "scripts/simulate/simulate.ts",
  },
];
