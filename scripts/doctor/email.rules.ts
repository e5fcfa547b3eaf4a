/**
 * Decides whether mail servers can check the site's emails, from the records in DNS that the email service documents. Invariants: exactly
 * one record of each kind is valid, as its RFC says (7208, 6376, 7489); names that the service doesn't fix are checked only when they are
 * given. Called from `checks.ts`.
 */
import { emailServices } from "./email-services.ts";
import type { DnsFacts, DnsRecord, SiteFacts } from "./facts.ts";
import { about, ok, problem, type Verdict } from "./verdict.ts";

export function checkSpf({ dns }: SiteFacts): Verdict {
  return about(dns, (facts) =>
    about(facts.spf, (spf) => {
      const { addRecords, isReturnPathOptional, name, returnPath, spfInclude } = emailServices[facts.service];
      const isOwn = spf.names.every((each) => each === `${returnPath}.${facts.domain}`);
      if (spf.found.length === 0 && isReturnPathOptional && isOwn)
        return ok(`${name} sends with a return path of its own; a record at ${spf.names[0]} would make it yours`);
      const wrong = notOne("SPF", spf, `${addRecords}.`);
      if (wrong) return wrong;
      const [record = ""] = spf.found;
      const authorised = authorisedBy(record);
      if (authorised.includes("all"))
        return problem(`every server may send: ${record}`, "End the record with `~all` or `-all`.");
      const documented = [`include:${spfInclude}`, `redirect=${spfInclude}`];
      if (spfInclude !== null && !authorised.some((term) => documented.includes(term)))
        return problem(`the record doesn't authorise ${name}: ${record}`, `Add \`include:${spfInclude}\` to it.`);
      if (authorised.length === 0) return problem(`the record authorises no server: ${record}`, `${addRecords}.`);
      return ok(`${spf.names[0]}: ${record}`);
    }),
  );
}

/** Mechanisms that let a server pass (RFC 7208): those with `-`, `~` or `?` don't, `all` ends the record, and is read before `redirect`. */
function authorisedBy(record: string): string[] {
  const terms = record.toLowerCase().trim().split(/\s+/).slice(1);
  const end = terms.findIndex((term) => /^[-~?+]?all$/.test(term));
  const passing = /^\+?(all|include:.+|exists:.+|ip[46]:.+|(a|mx|ptr)([:/].+)?)$/;
  const read = end === -1 ? terms : terms.slice(0, end + 1);
  return read
    .filter((term) => passing.test(term) || (end === -1 && term.startsWith("redirect=")))
    .map((term) => term.replace("+", ""));
}

export function checkDkim({ dns }: SiteFacts): Verdict {
  return about(dns, (facts) =>
    about(facts.dkim, (dkim) => {
      const fix = `${emailServices[facts.service].addRecords}; of another selector, name it in DKIM_SELECTOR.`;
      const wrong = notOne("DKIM", dkim, fix);
      if (wrong) return wrong;
      const key = /\bp=([^;\s]*)/.exec(dkim.found[0] ?? "")?.[1] ?? "";
      if (key === "") return problem("the DKIM key was revoked: p= is empty", fix);
      return ok(`a key of ${key.length} characters at ${dkim.names.join(" or ")}`);
    }),
  );
}

export function checkDmarc({ dns }: SiteFacts): Verdict {
  return about(dns, ({ dmarc, domain, service }: DnsFacts) => {
    const own = `Add a TXT record _dmarc.${domain} with \`v=DMARC1; p=quarantine\`.`;
    const wrong = notOne("DMARC", dmarc, service === "cloudflare" ? `${emailServices[service].addRecords}.` : own);
    if (wrong) return wrong;
    const [record = ""] = dmarc.found;
    // The organisation's record may have another policy for its subdomains.
    const ofSubdomain = dmarc.names[0] === `_dmarc.${domain}` ? null : /\bsp\s*=\s*(\w+)/i.exec(record);
    const policy = (ofSubdomain ?? /\bp\s*=\s*(\w+)/i.exec(record))?.[1]?.toLowerCase();
    if (policy === "reject" || policy === "quarantine") return ok(`forged emails: ${policy}`);
    if (policy === "none") return ok("forged emails: none are refused yet; p=quarantine or p=reject would");
    return problem(`the record has no policy: ${record}`, "Add `p=quarantine` to it.");
  });
}

function notOne(kind: string, { names, found }: DnsRecord, fix: string): Verdict | null {
  if (found.length === 1) return null;
  const where = names.join(" or ");
  return found.length === 0
    ? problem(`there is no ${kind} record at ${where}`, fix)
    : problem(`there are ${found.length} ${kind} records at ${where}`, "Join them into one: with two, none is valid.");
}
