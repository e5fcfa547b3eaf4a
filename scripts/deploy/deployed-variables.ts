import { features } from "#app/features.ts";

/** Variables that a deployment sets, from `[vars]` in wrangler.toml and the environment of the command. */
export const deployedVariables = [
  "PUBLIC_ORIGIN",
  "MAIL_FROM",
  "EMAIL_SERVICE",
  "SES_REGION",
  "EMAIL_RELAY_URL",
  "LAUNCH_GATE",
  "SENTRY_DSN",
  "SENTRY_ENVIRONMENT",
  "SENTRY_RELEASE",
  "SENTRY_TRACES_SAMPLE_RATE",
  "SENTRY_TUNNEL_BODY_BYTES_MAX",
  "SENTRY_TUNNEL_FORWARD_ADDRESS",
  ...features.flatMap(({ variables }) => variables?.deployed ?? []),
];
