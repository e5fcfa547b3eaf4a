import { emailSecrets, emailVariables } from "#app/integrations/email/email-services.ts";
import { generatedSecrets, requiredVariables, stripeSecrets } from "./configuration.ts";
import { features } from "./features.ts";
import { setUpCommands } from "./set-up-commands.ts";

/** A variable, a secret or a file that the Worker reads. It is `wrong` if it has a value that the Worker can't serve with. */
export type SetUpStep = { name: string; state: "set" | "missing" | "wrong" | "optional"; command: string };

const configFile = "app/product/config.ts";

export const featureSecrets = features.flatMap(({ variables }) => variables?.secrets ?? []);

/** Without these the site runs with fewer features. */
const optional = [...stripeSecrets, "OPERATOR_TOKEN"];

/**
 * What a Worker is set up with, and what is missing or wrong, each with the command that sets it. `problems` come from
 * `configurationProblems`. The result contains names, never values.
 */
export function setUpSteps(problems: readonly string[], variables: object): SetUpStep[] {
  const values = new Map<string, unknown>(Object.entries(variables));
  const text = (name: string) => String(values.get(name) ?? "").trim();
  const named = problems.map(nameIn);
  const names = new Set([
    ...requiredVariables,
    ...emailVariables(text("EMAIL_SERVICE")),
    ...features.flatMap(({ variables: own }) => own?.needed(text) ?? []),
    ...optional,
    ...named,
  ]);
  return [...names].map((name) => {
    const state = stateOf(name, problems[named.indexOf(name)], values.get(name));
    return { name, state, command: commandFor(name, state, values) };
  });
}

/** A problem begins with the name of what it is about. */
function nameIn(problem: string): string {
  return problem.startsWith(configFile) ? configFile : (/^\w+/.exec(problem)?.[0] ?? configFile);
}

function stateOf(name: string, problem: string | undefined, value: unknown): SetUpStep["state"] {
  if (problem !== undefined) return problem.startsWith(`${name} is missing`) ? "missing" : "wrong";
  const isSet = typeof value === "string" && value.trim() !== "";
  return isSet || !optional.includes(name) ? "set" : "optional";
}

/** `npm run secrets` sets what is missing, and never replaces a value. */
function commandFor(name: string, state: SetUpStep["state"], values: ReadonlyMap<string, unknown>): string {
  if (name === configFile) return "npm run check";
  const target = String(values.get("SENTRY_ENVIRONMENT") ?? "").trim();
  if (stripeSecrets.some((each) => each === name)) return setUpCommands.setUpStripe(target, state === "wrong");
  const isGenerated = generatedSecrets.some((each) => each === name);
  if (isGenerated && state !== "wrong") return setUpCommands.generateSecrets(target);
  const isSecret = [...optional, ...emailSecrets, ...featureSecrets, "EMAIL_WEBHOOK_SECRET"].includes(name);
  if (isGenerated || isSecret)
    return setUpCommands.putSecret(name, target, workerAt(String(values.get("PUBLIC_ORIGIN") ?? "")));
  return setUpCommands.deploy(name, target);
}

/** A Worker's own address begins with its name. */
function workerAt(origin: string): string {
  return /^https:\/\/([^.]+)\.[^.]+\.workers\.dev$/.exec(origin)?.[1] ?? "<this Worker>";
}
