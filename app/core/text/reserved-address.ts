/** Domains that never have a mailbox: RFC 2606 and RFC 6761. */
const reserved = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i;

/** An address that no email can reach, such as those of the demo's people. */
export function isReservedAddress(address: string): boolean {
  return reserved.test(address.slice(address.lastIndexOf("@") + 1));
}
