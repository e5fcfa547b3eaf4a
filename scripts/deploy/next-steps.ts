import { setUpCommands } from "#app/set-up-commands.ts";

type Deployed = {
  origin: string;
  name: string;
  to: string;
  secretNames: readonly string[];
  problems: readonly string[];
};

/** What to do once a version is deployed, a line each. `problems` is what the site says that it lacks. */
export function nextSteps({ origin, name, to, secretNames, problems }: Deployed): string[] {
  const isSenderMissing = problems.includes("MAIL_FROM is missing");
  return [
    ...(isSenderMissing
      ? [
          "MAIL_FROM is missing, the sender of every email: until it is set, the site answers 503 and lists what it lacks.",
          `Set it in Cloudflare's dashboard, Workers & Pages > ${name} > Settings > Variables and secrets, as a secret, or:`,
          `npx wrangler secret put MAIL_FROM --name ${name}`,
        ]
      : []),
    ...(secretNames.includes("OPERATOR_TOKEN")
      ? []
      : [`${setUpCommands.generateSecrets(to)} generates the OPERATOR_TOKEN.`]),
    `${origin}/set-up takes the OPERATOR_TOKEN, and leads you through a first payment.`,
  ];
}
