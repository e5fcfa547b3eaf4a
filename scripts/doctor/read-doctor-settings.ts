import type { Unstable_Config as Config } from "wrangler";
import { chosenEmailService } from "#app/integrations/email/email-services.ts";
import { readSettings } from "../stripe/settings.ts";
import type { DoctorSettings } from "./gather.ts";

type Names = Readonly<Record<string, string | undefined>>;

/** The configuration of the site's target: `wrangler.toml` with the names that the target has. */
type Deployed = Pick<Config, "vars" | "d1_databases">;

/**
 * Reads the settings from the environment. For a site that runs from this clone, missing ones are the local values. The email service and
 * the sender may also be in `wrangler.toml`.
 */
export function readDoctorSettings(
  environment: Names,
  local: Names,
  origin: string,
  { vars, d1_databases: databases }: Deployed,
): DoctorSettings {
  const isLocal = !origin.startsWith("https:");
  // The local token and Stripe key belong to no deployed site.
  const fallback = isLocal ? local : {};
  const setting = (name: string) => environment[name] ?? fallback[name] ?? "";
  const variable = (name: string) => setting(name) || String(vars[name] ?? "");
  return {
    origin,
    token: setting("OPERATOR_TOKEN"),
    sender: {
      from: variable("MAIL_FROM"),
      service: chosenEmailService(variable("EMAIL_SERVICE").trim()),
      dkimSelector: setting("DKIM_SELECTOR"),
      returnPath: setting("RETURN_PATH"),
    },
    stripe: readSettings({ ...environment, PUBLIC_ORIGIN: origin }, fallback),
    cloudflare: {
      api: environment["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4",
      accountId: setting("CLOUDFLARE_ACCOUNT_ID"),
      token: setting("CLOUDFLARE_API_TOKEN"),
      database: databases.find(({ binding }) => binding === "DB")?.database_name ?? "",
    },
  };
}
