import { parseEmailAddress } from "./email-address.ts";

/** Who emails come from: `name` as people read it, and `address` with its domain in ASCII. */
export type EmailSender = { name: string; address: string };

/** Reads `Name <address>`, `"Name" <address>` or an address alone. */
export function parseEmailSender(text: string): EmailSender {
  const [, name = "", address = text] = /^(.*)<([^<>]*)>\s*$/s.exec(text) ?? [];
  return { name: unquoted(name.trim()), address: parseEmailAddress(address)?.deliverable ?? address.trim() };
}

/** RFC 5322, section 3.2.4: in a quoted string, a backslash makes the next character a plain one. */
function unquoted(name: string): string {
  const [, content] = /^"((?:[^"\\]|\\.)*)"$/s.exec(name) ?? [];
  return content === undefined ? name : content.replace(/\\(.)/gs, "$1");
}

export function showEmailSender({ name, address }: EmailSender): string {
  return name === "" ? address : `${name} <${address}>`;
}
