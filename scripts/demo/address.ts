import { type EmailAddress, parseEmailAddress } from "#app/core/text/email-address.ts";

/** The local mailbox accepts email for any address. */
export const addressOf = (name: string): string => `${name}@${domains.get(name) ?? "people.example"}`;

/** A friend at the referrer's own domain is reviewed before the discount is paid: Ben, who has received it, is at another domain. */
const domains = new Map([["ben", "elsewhere.example"]]);

export function parsed(text: string): EmailAddress {
  const address = parseEmailAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
}
