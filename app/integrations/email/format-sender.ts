import type { EmailSender } from "#app/core/text/email-sender.ts";

/** RFC 5322, section 3.2.3, with characters beyond ASCII (RFC 6532): names of these need no quotation marks. */
const plainName = /^[\w!#$%&'*+\-/=?^`{|}~\u0080-\uffff]+(?: [\w!#$%&'*+\-/=?^`{|}~\u0080-\uffff]+)*$/;

/** The sender as in an email's header. A name with a comma, for example, is quoted, or it would be two addresses. */
export function formatSender({ name, address }: EmailSender): string {
  if (name === "") return address;
  return `${plainName.test(name) ? name : `"${name.replace(/["\\]/g, String.raw`\$&`)}"`} <${address}>`;
}
