import { createWorkersKVSessionStorage } from "@react-router/cloudflare";

/** What we may remember of a browser and may lose. Never anything that decides about money or access. */
export type Visit = {
  /** Whose link brought this browser here first, and when. */
  referral: { code: string; at: number } | null;
  /** How somebody signed in here last. */
  signedInBy: "code" | "passkey" | null;
};

export type Visits = {
  read(request: Request): Promise<Visit>;
  /** Remembers, and answers the Set-Cookie value that ties the browser to what is remembered. */
  remember(request: Request, change: Partial<Visit>): Promise<string>;
};

/** How long KV and the cookie keep a visit. */
const rememberedSeconds = 365 * 24 * 60 * 60;

/**
 * In KV, behind a signed cookie: unsigned, two strangers with garbage cookies would share one record, and a planted id
 * would be adopted. When KV is down nobody notices: nothing was remembered.
 */
export function openVisits(kv: KVNamespace, secret: string): Visits {
  const storage = createWorkersKVSessionStorage<Visit>({
    kv,
    cookie: {
      /** The signed key of what KV remembers of this browser. `rememberedSeconds`. */
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
      return { referral: stored?.get("referral") ?? null, signedInBy: stored?.get("signedInBy") ?? null };
    },
    async remember(request, change) {
      const stored = await open(request);
      if (change.referral !== undefined) stored.set("referral", change.referral);
      if (change.signedInBy !== undefined) stored.set("signedInBy", change.signedInBy);
      return storage.commitSession(stored);
    },
  };
}
