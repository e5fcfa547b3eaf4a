/** What each service is set up with. */
const needs = {
  turnstile: { variables: ["TURNSTILE_SITE_KEY"], secrets: ["TURNSTILE_SECRET_KEY"] },
} as const;

type CaptchaServiceName = keyof typeof needs;

const names = ["turnstile"] as const satisfies CaptchaServiceName[];

export const captchaSecrets: readonly string[] = Object.values(needs).flatMap(({ secrets }) => [...secrets]);

/** Reads CAPTCHA_SERVICE. Null if it names none of the services. */
export function readCaptchaService(value: string): CaptchaServiceName | null {
  return names.find((name) => name === value) ?? null;
}

/** The variables and secrets that the chosen service needs. */
export function captchaVariables(value: string): readonly string[] {
  const name = readCaptchaService(value);
  return name === null ? [] : [...needs[name].variables, ...needs[name].secrets];
}

/**
 * Whether it is one of the keys that Cloudflare publishes for tests: a digit for what happens, x, zeros, two letters
 * (https://developers.cloudflare.com/turnstile/troubleshooting/testing/).
 */
export function isTurnstileTestKey(key: string): boolean {
  return /^[123]x0{20,}(AA|AB|BB|FF)$/.test(key);
}

/** What is wrong with the choice, one sentence each. */
export function captchaProblems(text: (name: string) => string, isProduction: boolean): string[] {
  const chosen = text("CAPTCHA_SERVICE");
  if (chosen === "") return [];
  if (readCaptchaService(chosen) === null) return [`CAPTCHA_SERVICE is none of ${names.join(", ")}`];
  const missing = captchaVariables(chosen).filter((name) => text(name) === "");
  const tests = captchaVariables(chosen).filter((name) => isProduction && isTurnstileTestKey(text(name)));
  return [
    ...missing.map((name) => `${name} is missing while CAPTCHA_SERVICE is ${chosen}`),
    ...tests.map((name) => `${name} is a key for tests while SENTRY_ENVIRONMENT is production`),
  ];
}
