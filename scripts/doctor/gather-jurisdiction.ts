import type { SiteFacts } from "./facts.ts";

export type CloudflareAccess = { api: string; accountId: string; token: string; database: string };

/** Only Cloudflare's API knows where a database may be stored. */
export async function gatherJurisdiction(access: CloudflareAccess): Promise<SiteFacts["jurisdiction"]> {
  const { api, accountId, token, database } = access;
  if (accountId === "" || token === "") return { unasked: "CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID are needed" };
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const query = new URLSearchParams({ name: database, per_page: "100" });
    const answer = await fetch(`${api}/accounts/${accountId}/d1/database?${query}`, { headers });
    // Cloudflare's own envelope around its answers.
    const { result } = (await answer.json()) as { result: { name: string; jurisdiction?: string | null }[] | null };
    const found = result?.find(({ name }) => name === database);
    if (found === undefined) return { unasked: `this token finds no database ${database} (${answer.status})` };
    return { database, jurisdiction: found.jurisdiction ?? null };
  } catch (error) {
    return { unasked: `Cloudflare doesn't answer: ${error instanceof Error ? error.message : String(error)}` };
  }
}
