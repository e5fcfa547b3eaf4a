import type { Proof } from "./prove-restore.ts";

/** The result in plain words: what was repaired, what has to be done by hand, what is gone. */
export function spellProof({
  differences,
  byHand,
  lost,
  reusedNumbers,
  sentAgain,
  lostVisits,
  accounts,
}: Proof): string[] {
  const isRepaired = differences.length === 0;
  const numbers = reusedNumbers.map((number) => `order number ${number} was on another customer's receipt`);
  const emails = sentAgain === 0 ? [] : [`emails of the hour that were sent a second time (${sentAgain})`];
  const visits = lostVisits === 0 ? [] : [`visits by friends' links (${lostVisits})`];
  return [
    isRepaired
      ? `Repaired: orders, plans and credit of all ${accounts} accounts agree with Stripe and with the database that lost nothing.`
      : "Not repaired:",
    ...differences.map(indent),
    ...section(
      "To do by hand: find the payment in Stripe's dashboard, and refund it or ask the customer to sign up again.",
      byHand,
    ),
    ...section("Lost with the hour:", [...lost, ...visits]),
    ...section("Different from before:", [...numbers, ...emails]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map(indent)];
}

const indent = (line: string): string => `  - ${line}`;
