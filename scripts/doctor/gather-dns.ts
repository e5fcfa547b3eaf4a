import type { DnsRecord, SiteFacts } from "./facts.ts";

/** As of `node:dns/promises`. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/** Cloudflare's Email Sending signs under this selector, and bounces come back to this subdomain. */
const cloudflareName = "cf-bounce";

type Sender = { from: string; dkimSelector: string };

/** The records by which mail servers check the sender of the site's emails. */
export async function gatherDns({ from, dkimSelector }: Sender, resolveTxt: ResolveTxt): Promise<SiteFacts["dns"]> {
  const domain = /@([^\s>@]+)>?\s*$/.exec(from)?.[1]?.toLowerCase();
  if (domain === undefined) return { unasked: "MAIL_FROM is needed, as the site has it" };
  const find = (names: string[], kind: RegExp) => findRecords(names, kind, resolveTxt);
  try {
    const [spf, dkim, dmarc] = await Promise.all([
      find([`${cloudflareName}.${domain}`, domain], /^v=spf1\b/i),
      find([`${dkimSelector || cloudflareName}._domainkey.${domain}`], /\bp=/),
      find([`_dmarc.${domain}`, ...parentOf(domain).map((parent) => `_dmarc.${parent}`)], /^v=DMARC1\b/i),
    ]);
    return { domain, spf, dkim, dmarc };
  } catch (error) {
    return { unasked: `DNS doesn't answer for ${domain}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Of the first name that has any: the subdomain that sends comes before its domain. */
async function findRecords(names: string[], kind: RegExp, resolveTxt: ResolveTxt): Promise<DnsRecord> {
  for (const name of names) {
    const found = (await recordsAt(name, resolveTxt)).filter((record) => kind.test(record));
    if (found.length > 0) return { names: [name], found };
  }
  return { names, found: [] };
}

/** The parts of a long record are joined, as receivers do. */
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

/** DMARC falls back to the organisation's domain, here the one above a subdomain. */
function parentOf(domain: string): string[] {
  const labels = domain.split(".");
  return labels.length > 2 ? [labels.slice(1).join(".")] : [];
}
