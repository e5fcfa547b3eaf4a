import { isOrigin } from "#app/configuration.ts";

export type Settings = { key: string; origin: string; apiBase: string };
type Names = Readonly<Record<string, string | undefined>>;

/** A key in the environment other than the local one belongs to a real account. Then `.dev.vars`, which has the local one, isn't read. */
export function readSettings(environment: Names, local: Names): Settings {
  const fallback = /^(?!local-)./.test(environment.STRIPE_SECRET_KEY ?? "") ? {} : local;
  const setting = (name: string) => environment[name] ?? fallback[name] ?? "";
  return { key: setting("STRIPE_SECRET_KEY"), origin: setting("PUBLIC_ORIGIN"), apiBase: setting("STRIPE_API_BASE") };
}

/** Every problem, one sentence each; empty when Stripe can be called. */
export function settingProblems({ key, origin, apiBase }: Settings): string[] {
  const problems = [...keyProblems(key, apiBase)];
  if (origin === "") problems.push("PUBLIC_ORIGIN is missing: the site's address, https://example.com");
  else if (!isOrigin(origin)) problems.push("PUBLIC_ORIGIN is not an origin such as https://example.com");
  else if (isStripes(key) && isAtHome(origin)) {
    problems.push(
      `PUBLIC_ORIGIN is ${origin}, where Stripe can't bring its events: give the address of the deployed site`,
    );
  } else if (isLiveKey(key) && !origin.startsWith("https:")) {
    problems.push("PUBLIC_ORIGIN is not https, and the key is a live one");
  }
  if (apiBase !== "" && !isOrigin(apiBase)) {
    problems.push("STRIPE_API_BASE is not an origin such as http://localhost:8788; for the real Stripe it stays unset");
  }
  return problems;
}

function keyProblems(key: string, apiBase: string): string[] {
  if (key === "") return ["STRIPE_SECRET_KEY is missing: the secret key of your Stripe account, sk_test_… first"];
  if (key.startsWith("pk_")) return ["STRIPE_SECRET_KEY is the publishable key: take the secret one, sk_… or rk_…"];
  if (key.startsWith("whsec_"))
    return ["STRIPE_SECRET_KEY is a webhook's signing secret: take the secret key, sk_… or rk_…"];
  if (isStripes(key) && apiBase !== "")
    return ["STRIPE_API_BASE names a Stripe emulator, and the key is a real one: leave STRIPE_API_BASE unset"];
  if (!isStripes(key) && apiBase === "") {
    return [
      key.startsWith("local-")
        ? "STRIPE_SECRET_KEY is the local one, and STRIPE_API_BASE doesn't say where the Stripe emulator is"
        : "STRIPE_SECRET_KEY is no key of Stripe's: those begin with sk_ or rk_",
    ];
  }
  return [];
}

const isStripes = (key: string): boolean => /^(sk|rk)_/.test(key);
export const isLiveKey = (key: string): boolean => /^(sk|rk)_live_/.test(key);
const isAtHome = (origin: string): boolean => /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(origin).hostname);
