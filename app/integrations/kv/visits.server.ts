import { visitCookieMs } from "#app/core/cookie-lives.ts";
import { secondMs } from "#app/core/time/time.ts";
import { createWorkersKVSessionStorage } from "@react-router/cloudflare";
import * as v from "valibot";

/**
 * What is remembered of a browser and may be lost: never anything that decides about money or access. A value of another shape, from
 * another release or another program, counts as absent.
 */
const visitSchema = v.object({
  /** The referral link that first brought this browser here, and when. */
  referral: v.fallback(
    v.nullable(v.object({ code: v.string(), at: v.number(), isCounted: v.optional(v.boolean()) })),
    null,
  ),
  /** The sign-in method last used here. */
  signedInBy: v.fallback(v.nullable(v.picklist(["code", "passkey"])), null),
});
type Visit = v.InferOutput<typeof visitSchema>;

export type Visits = {
  read(request: Request): Promise<Visit>;
  /** Stores it, and returns the Set-Cookie value that binds the browser to it. */
  remember(request: Request, change: Partial<Visit>): Promise<string>;
};

/** How long KV and the cookie retain a visit. */
const rememberedSeconds = visitCookieMs / secondMs;

/**
 * In KV, behind a signed cookie: unsigned, two visitors with malformed cookies would share one record, and a planted id would be adopted.
 * When KV is down, the site behaves as if nothing was remembered.
 */
export function openVisits(kv: KVNamespace, secret: string): Visits {
  const storage = createWorkersKVSessionStorage<Visit>({
    kv,
    cookie: {
      /** The signed key of this browser's record in KV. `rememberedSeconds`. */
      name: "__Host-visit",
      secrets: [secret],
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      maxAge: rememberedSeconds,
    },
  });
  const open = (request: Request) => storage.getSession(request.headers.get("Cookie"));
  return {
    async read(request) {
      const stored = await open(request).catch(() => null);
      return v.parse(visitSchema, { referral: stored?.get("referral"), signedInBy: stored?.get("signedInBy") });
    },
    async remember(request, change) {
      const stored = await open(request);
      if (change.referral !== undefined) stored.set("referral", change.referral);
      if (change.signedInBy !== undefined) stored.set("signedInBy", change.signedInBy);
      return storage.commitSession(stored);
    },
  };
}
