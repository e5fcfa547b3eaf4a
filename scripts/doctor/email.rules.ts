/**
 * Decides whether mail servers can check the site's emails, from the records in DNS. Invariants: exactly one record of each kind is valid,
 * as its RFC says (7208, 6376, 7489). Called from `checks.ts`.
 */
import type { DnsRecord, SiteFacts } from "./facts.ts";
import { about, ok, problem, type Verdict } from "./verdict.ts";

const onboard = "Onboard the domain in Email Sending of Cloudflare's dashboard, which adds the records";

export function checkSpf({ dns }: SiteFacts): Verdict {
  return about(dns, ({ spf }) => {
    const wrong = notOne("SPF", spf);
    if (wrong) return wrong;
    const [record = ""] = spf.found;
    if (/[\s:]\+?all\b/.test(record) && !/[-~?]all\b/.test(record))
      return problem(`every server may send: ${record}`, "End the record with `~all` or `-all`.");
    return ok(record);
  });
}

export function checkDkim({ dns }: SiteFacts): Verdict {
  return about(dns, ({ dkim }) => {
    const wrong = notOne("DKIM", dkim);
    if (wrong) return wrong;
    const key = /\bp=([^;\s]*)/.exec(dkim.found[0] ?? "")?.[1] ?? "";
    if (key === "") return problem("the DKIM key was revoked: p= is empty", `${onboard}.`);
    return ok(`a key of ${key.length} characters at ${dkim.names.join(" or ")}`);
  });
}

export function checkDmarc({ dns }: SiteFacts): Verdict {
  return about(dns, ({ dmarc }) => {
    const wrong = notOne("DMARC", dmarc);
    if (wrong) return wrong;
    const policy = /\bp\s*=\s*(\w+)/i.exec(dmarc.found[0] ?? "")?.[1]?.toLowerCase();
    if (policy === "reject" || policy === "quarantine") return ok(`forged emails: ${policy}`);
    if (policy === "none") return ok("forged emails: none are refused yet; p=quarantine or p=reject would");
    return problem(`the record has no policy: ${dmarc.found[0]}`, "Add `p=quarantine` to it.");
  });
}

function notOne(kind: string, { names, found }: DnsRecord): Verdict | null {
  if (found.length === 1) return null;
  const where = names.join(" or ");
  return found.length === 0
    ? problem(
        `there is no ${kind} record at ${where}`,
        `${onboard}; of another sender, name its selector in DKIM_SELECTOR.`,
      )
    : problem(`there are ${found.length} ${kind} records at ${where}`, "Join them into one: with two, none is valid.");
}
