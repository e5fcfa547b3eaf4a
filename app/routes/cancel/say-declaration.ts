import { formatExactly } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { formatWantedDay } from "#app/modules/billing/cancellations/confirmation-email.server.ts";
import type { findDeclaration } from "#app/modules/billing/cancellations/queries.server.ts";
import { cancelMessages } from "./messages.ts";

type Declaration = Awaited<ReturnType<typeof findDeclaration>>[number];

/** What was declared, and when, line by line: for the page and for the file. */
export function sayDeclaration(
  product: Pick<ProductConfig, "locale" | "timeZone">,
  { kind, reason, name, orderTyped, endsOn, address, declaredAt }: Declaration,
) {
  const { facts, kinds, earliest } = cancelMessages.en.declared;
  return [
    { label: facts.at, value: formatExactly(declaredAt, product) },
    { label: facts.kind, value: kinds[kind] },
    ...(reason === null ? [] : [{ label: facts.cause, value: reason }]),
    { label: facts.name, value: name },
    { label: facts.order, value: orderTyped },
    { label: facts.endsOn, value: formatWantedDay(endsOn, product) ?? earliest },
    { label: facts.email, value: address },
  ];
}
