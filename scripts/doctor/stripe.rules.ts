/**
 * Decides what is wrong with a Stripe account, from what its key may read. Invariants: the endpoint is compared with what
 * `npm run stripe:setup` writes; what the key may not read is not checked. Called from `checks.ts`.
 */
import { API_VERSION, WEBHOOK_EVENTS } from "../stripe/webhook.ts";
import type { Answered, SiteFacts, StripeFacts } from "./facts.ts";
import { about, ok, problem, type Verdict } from "./verdict.ts";

const setUp = "Run `npm run stripe:setup`";

/** Bank debits and similar methods, whose payments are confirmed days later. */
const delayed = ["sepa_debit", "us_bank_account", "bacs_debit", "au_becs_debit", "acss_debit"];

function withStripe<Known extends object>(
  { stripe }: SiteFacts,
  pick: (stripe: StripeFacts) => Answered<Known>,
  decide: (known: Known) => Verdict,
): Verdict {
  return about(stripe, (known) => about(pick(known), decide));
}

export function checkEndpoint(facts: SiteFacts): Verdict {
  const url = `${facts.origin}/webhooks/stripe`;
  return withStripe(
    facts,
    ({ endpoints }) => endpoints,
    ([endpoint, ...more]) => {
      if (endpoint === undefined)
        return problem(`Stripe has no endpoint ${url}`, `${setUp}, and set its signing secret.`);
      if (more.length > 0)
        return problem(
          `Stripe has ${url} ${more.length + 1} times`,
          "Delete all but the one whose signing secret is set.",
        );
      if (endpoint.status !== "enabled")
        return problem("Stripe has disabled the endpoint", `${setUp}, which enables it.`);
      if (endpoint.apiVersion !== API_VERSION)
        return problem(
          `the endpoint has API version ${endpoint.apiVersion ?? "of the account"}, and this clone ${API_VERSION}`,
          `Delete it at Stripe, run \`npm run stripe:setup\`, and set its signing secret.`,
        );
      const missing = WEBHOOK_EVENTS.filter(
        (type) => !endpoint.events.includes(type) && !endpoint.events.includes("*"),
      );
      if (missing.length > 0) return problem(`the endpoint lacks ${missing.join(", ")}`, `${setUp}, which adds them.`);
      return ok(`enabled, ${endpoint.apiVersion}, ${endpoint.events.length} kinds of event`);
    },
  );
}

export function checkDeliveries(facts: SiteFacts): Verdict {
  return withStripe(
    facts,
    ({ undelivered }) => undelivered,
    ({ count, newestAt }) =>
      count === 0 || newestAt === null
        ? ok("all events of the last days were delivered")
        : problem(
            `${count} events weren't delivered, the newest of ${new Date(newestAt).toISOString()}`,
            "Compare STRIPE_WEBHOOK_SECRET with the endpoint's, and read its attempts in Stripe's dashboard; none is lost.",
          ),
  );
}

export function checkPaymentMethods(facts: SiteFacts): Verdict {
  return withStripe(
    facts,
    ({ paymentMethods }) => paymentMethods,
    (methods) => {
      if (!methods.includes("card"))
        return problem(
          `cards are off (on: ${methods.join(", ") || "none"})`,
          "Turn cards on in Stripe's dashboard, Settings, Payment methods.",
        );
      const late = methods.filter((method) => delayed.includes(method));
      return ok(
        `${methods.join(", ")}${late.length > 0 ? `; ${late.join(", ")} start a plan when the money is there` : ""}`,
      );
    },
  );
}

export function checkPrices(facts: SiteFacts): Verdict {
  return withStripe(
    facts,
    ({ prices }) => prices,
    ({ sold, differences: [first, ...more] }) => {
      if (first === undefined) return ok(`${sold} prices are the config's`);
      const others = more.length > 0 ? `, and ${more.length} more differ` : "";
      return problem(
        `${first}${others}: plans with these prices aren't on sale`,
        `${setUp}, in the clone that was deployed; \`npm run deploy\` does it when it has STRIPE_SECRET_KEY.`,
      );
    },
  );
}

export function checkFraudWarnings(facts: SiteFacts): Verdict {
  return withStripe(
    facts,
    ({ fraudWarnings }) => fraudWarnings,
    ({ refusal }) =>
      refusal === null
        ? ok("the key reads banks' warnings of fraud")
        : problem(
            `the key can't read banks' warnings of fraud: ${refusal}`,
            "In Stripe's dashboard, let the Worker's key read early fraud warnings (Radar) and invoice payments.",
          ),
  );
}
