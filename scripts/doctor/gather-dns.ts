import { getDomain } from "tldts-icann";
import type { EmailServiceName } from "#app/integrations/email/email-services.ts";
import { emailServices } from "./email-services.ts";
import type { DnsRecord, SiteFacts } from "./facts.ts";

/** The type of `resolveTxt` in `node:dns/promises`. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

export type Sender = {
  /** The value of MAIL_FROM. */
  from: string;
  service: EmailServiceName;
  /** Empty if it's the one that the service names. */
  dkimSelector: string;
  /** The domain of the return path. Empty if it's the one that the service names. */
  returnPath: string;
};

/** The records by which mail servers check the sender of the site's emails. */
export async function gatherDns(sender: Sender, resolveTxt: ResolveTxt): Promise<SiteFacts["dns"]> {
  const domain = /@([^\s>@]+)>?\s*$/.exec(sender.from)?.[1]?.toLowerCase();
  if (domain === undefined) return { unasked: "MAIL_FROM is needed, as the site has it" };
  const { service } = sender;
  const find = async (names: readonly string[] | null, kind: RegExp, missing: string) =>
    names === null ? { unasked: missing } : findRecords(names, kind, resolveTxt);
  const { name } = emailServices[service];
  try {
    const [spf, dkim, dmarc] = await Promise.all([
      find(spfNames(sender, domain), /^v=spf1\b/i, `RETURN_PATH is needed: the domain that ${name} uses for bounces`),
      find(dkimNames(sender, domain), /\bp=/, `DKIM_SELECTOR is needed: ${name} has one for each domain`),
      findRecords(
        [...new Set([domain, organisationOf(domain)])].map((name) => `_dmarc.${name}`),
        /^v=DMARC1\b/i,
        resolveTxt,
      ),
    ]);
    return { domain, service, spf, dkim, dmarc };
  } catch (error) {
    return { unasked: `DNS doesn't answer for ${domain}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Receivers look for SPF at the return path's domain. A record at the sender's own is another service's, such as Email Routing's. */
function spfNames({ service, returnPath }: Sender, domain: string): string[] | null {
  if (returnPath !== "") return [returnPath];
  const label = emailServices[service].returnPath;
  if (label === null) return null;
  return [`${label}.${domain}`];
}

function dkimNames({ service, dkimSelector }: Sender, domain: string): string[] | null {
  const selector = dkimSelector || emailServices[service].dkimSelector;
  return selector === null ? null : [`${selector}._domainkey.${domain}`];
}

/** The records of the first name that has any: the subdomain that sends comes before its domain. */
async function findRecords(names: readonly string[], kind: RegExp, resolveTxt: ResolveTxt): Promise<DnsRecord> {
  for (const name of names) {
    const found = (await recordsAt(name, resolveTxt)).filter((record) => kind.test(record));
    if (found.length > 0) return { names: [name], found };
  }
  return { names, found: [] };
}

/** Joins the parts of a long record, as receivers do. */
async function recordsAt(name: string, resolveTxt: ResolveTxt): Promise<string[]> {
  try {
    return (await resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && ["ENODATA", "ENOTFOUND"].includes(String(error.code));
    if (isMissing) return [];
    throw error;
  }
}

/** DMARC falls back to the domain that was registered, by ICANN's part of the public suffix list (RFC 7489, section 3.2). */
const organisationOf = (domain: string): string => getDomain(domain) ?? domain;
