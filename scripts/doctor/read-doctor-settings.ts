import { readFileSync } from "node:fs";
import { readSettings } from "../stripe/settings.ts";
import type { DoctorSettings } from "./gather.ts";

type Names = Readonly<Record<string, string | undefined>>;

/** From the environment; of a site that runs from this clone, what is missing there is local. */
export function readDoctorSettings(environment: Names, local: Names, origin: string): DoctorSettings {
  const isLocal = !origin.startsWith("https:");
  // The local token and Stripe key belong to no deployed site.
  const fallback = isLocal ? local : {};
  const setting = (name: string) => environment[name] ?? fallback[name] ?? "";
  return {
    origin,
    token: setting("OPERATOR_TOKEN"),
    from: setting("MAIL_FROM"),
    dkimSelector: setting("DKIM_SELECTOR"),
    stripe: readSettings({ ...environment, PUBLIC_ORIGIN: origin }, fallback),
    cloudflare: {
      api: environment["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4",
      accountId: setting("CLOUDFLARE_ACCOUNT_ID"),
      token: setting("CLOUDFLARE_API_TOKEN"),
      database: /^database_name = "(.+)"/m.exec(readFileSync("wrangler.toml", "utf8"))?.[1] ?? "",
    },
  };
}
