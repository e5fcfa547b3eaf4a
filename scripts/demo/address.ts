import { type EmailAddress, parseEmailAddress } from "#app/core/text/email-address.ts";

/** The mailbox on this machine takes mail for any address. */
export const addressOf = (name: string): string => `${name}@people.example`;

export function parsed(text: string): EmailAddress {
  const address = parseEmailAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
}
