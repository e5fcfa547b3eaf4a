import { run } from "../run.ts";

/** Cloudflare's code for a Worker, or a subdomain for Workers, that doesn't exist. */
const notFound = 10007;

/**
 * Asks Cloudflare's API for what wrangler has no command for, with wrangler's own login. With `sent`, posts that as JSON. Null if it
 * doesn't exist. `Value` is a trust boundary: what the API answers as `result`.
 */
export async function askCloudflare<Value>(path: string, sent?: unknown): Promise<Value | null> {
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
  const headers = { Authorization: `Bearer ${await findToken()}`, "Content-Type": "application/json" };
  const posted = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
  const response = await fetch(base + path, { headers, ...posted });
  const answer = (await response.json()) as {
    success: boolean;
    result: Value;
    errors: { code?: number; message: string }[];
  };
  if (response.status === 404 || answer.errors[0]?.code === notFound) return null;
  if (!answer.success) throw new Error(`Cloudflare refused ${path}: ${answer.errors[0]?.message ?? response.status}`);
  return answer.result;
}

let login: Promise<string> | null = null;

/** Asks wrangler only once. */
function findToken(): Promise<string> {
  return (login ??= readToken());
}

async function readToken(): Promise<string> {
  const given = process.env.CLOUDFLARE_API_TOKEN;
  if (given) return given;
  const printed = await run("wrangler", ["auth", "token", "--json"]);
  const { token } = JSON.parse(printed.slice(printed.indexOf("{"))) as { token?: string };
  if (!token) throw new Error("wrangler's login has no token: set CLOUDFLARE_API_TOKEN");
  return token;
}
