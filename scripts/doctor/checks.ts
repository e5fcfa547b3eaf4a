import { checkJurisdiction } from "./database.rules.ts";
import { checkDkim, checkDmarc, checkSpf } from "./email.rules.ts";
import { featureTools } from "../features.ts";
import type { SiteFacts } from "./facts.ts";
import {
  checkCron,
  checkInbox,
  checkMigrations,
  checkOutbox,
  checkPayments,
  checkQuotas,
  checkRetries,
  checkSecrets,
  checkStripeMode,
  checkSyncs,
  checkUnclaimed,
} from "./health.rules.ts";
import { checkHeaders, checkHttps, checkOrigin, checkScripts, checkTls, checkWebhook } from "./site.rules.ts";
import {
  checkDeliveries,
  checkEndpoint,
  checkFraudWarnings,
  checkPaymentMethods,
  checkPrices,
} from "./stripe.rules.ts";
import { notChecked, type Verdict } from "./verdict.ts";

const ofCore = {
  origin: checkOrigin,
  https: checkHttps,
  tls: checkTls,
  headers: checkHeaders,
  scripts: checkScripts,
  migrations: checkMigrations,
  cron: checkCron,
  outbox: checkOutbox,
  events: checkInbox,
  syncs: checkSyncs,
  payments: checkPayments,
  retries: checkRetries,
  customers: checkUnclaimed,
  quotas: checkQuotas,
  secrets: checkSecrets,
  jurisdiction: checkJurisdiction,
  webhook: checkWebhook,
  "stripe mode": checkStripeMode,
  "stripe endpoint": checkEndpoint,
  "stripe deliveries": checkDeliveries,
  "payment methods": checkPaymentMethods,
  prices: checkPrices,
  "fraud warnings": checkFraudWarnings,
  spf: checkSpf,
  dkim: checkDkim,
  dmarc: checkDmarc,
} satisfies Record<string, Check>;

type Check = (facts: SiteFacts) => Verdict;

/** Every check, in the order in which they are printed. */
export const checks: Readonly<Record<string, Check>> = {
  ...ofCore,
  ...Object.fromEntries(featureTools.flatMap((tools) => Object.entries(tools.checks ?? {}))),
};

export type CheckName = keyof typeof ofCore;

/** The verdict of each check; those that were left out are listed, too. */
export function examine(facts: SiteFacts, skipped: readonly string[] = []): Record<CheckName, Verdict> {
  const verdicts = Object.entries(checks).map(([name, decide]) => [
    name,
    skipped.includes(name) ? notChecked("left out by --skip") : decide(facts),
  ]);
  // The names of `checks`, each with what it decided.
  return Object.fromEntries(verdicts) as Record<CheckName, Verdict>;
}

/** One line per check. A problem ends with its fix. */
export function spell(verdicts: Record<string, Verdict>): string[] {
  return Object.entries(verdicts).flatMap(([name, verdict]) => [
    `${verdict.state.padEnd(12)}${name.padEnd(18)}${verdict.text}${verdict.state === "problem" ? `. ${verdict.fix}` : ""}`,
  ]);
}
