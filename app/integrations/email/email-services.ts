/** The variables and secrets that each service needs. The first service is the default, whose binding needs none. */
const needs = {
  cloudflare: { variables: [], secrets: [] },
  resend: { variables: [], secrets: ["RESEND_API_KEY"] },
  postmark: { variables: [], secrets: ["POSTMARK_SERVER_TOKEN"] },
  ses: { variables: ["SES_REGION"], secrets: ["SES_ACCESS_KEY_ID", "SES_SECRET_ACCESS_KEY"] },
  "http-relay": { variables: ["EMAIL_RELAY_URL"], secrets: ["EMAIL_RELAY_TOKEN"] },
} as const satisfies Record<string, { variables: readonly string[]; secrets: readonly string[] }>;

export type EmailServiceName = keyof typeof needs;

const names = ["cloudflare", "resend", "postmark", "ses", "http-relay"] as const satisfies EmailServiceName[];

export const emailSecrets: readonly string[] = Object.values(needs).flatMap(({ secrets }) => [...secrets]);

/** Reads EMAIL_SERVICE. Null if it names no known service. */
export function readEmailService(value: string): EmailServiceName | null {
  return value === "" ? "cloudflare" : (names.find((name) => name === value) ?? null);
}

/** The service that sends: Cloudflare's where none is chosen. `emailProblems` refuses an unknown one before. */
export function chosenEmailService(value: string | undefined): EmailServiceName {
  return readEmailService(value ?? "") ?? "cloudflare";
}

/** The variables and secrets that the chosen service needs. */
export function emailVariables(value: string): readonly string[] {
  const name = readEmailService(value);
  return name === null ? [] : [...needs[name].variables, ...needs[name].secrets];
}

/** What is wrong with the choice, one sentence each. */
export function emailProblems(text: (name: string) => string): string[] {
  const chosen = text("EMAIL_SERVICE");
  if (readEmailService(chosen) === null) return [`EMAIL_SERVICE is none of ${names.join(", ")}`];
  const missing = emailVariables(chosen).filter((name) => text(name) === "");
  const relay = text("EMAIL_RELAY_URL");
  const isRelayWrong = relay !== "" && !isAddress(relay, text("PUBLIC_ORIGIN"));
  return [
    ...missing.map((name) => `${name} is missing while EMAIL_SERVICE is ${chosen}`),
    ...(chosen === "http-relay" && isRelayWrong ? ["EMAIL_RELAY_URL is no https address"] : []),
  ];
}

/** Local runs may use http. */
function isAddress(url: string, origin: string): boolean {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  return protocol === "https:" || (protocol === "http:" && !origin.startsWith("https:"));
}
