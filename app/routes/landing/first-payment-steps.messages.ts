import type { Messages } from "#app/core/messages.ts";
import type { SetUpStepName, StepState } from "#app/modules/operators/set-up-progress.rules.ts";
import type { StripeMode } from "#app/modules/operators/health.rules.ts";
import { formatSpan } from "#app/core/time/time.ts";
import { operatorCookieMs } from "#app/modules/operators/operator-cookie.rules.ts";

/** What the texts of a step depend on. */
type About = {
  mode: StripeMode;
  target: StripeTarget;
  gate: "none" | "signup" | "plan";
  orderNumber: string;
};
type StepTexts = { title: string } & Record<StepState, (about: About) => string>;

export type StripeTarget = "local" | "production" | "staging" | "preview";

/**
 * The command that sets up Stripe. It finds the site's address and stores the key and the signing secret. On a Worker that already has
 * both, it replaces them only if `isReplaced`.
 */
function setUpCommand(target: StripeTarget, isReplaced = false): string {
  if (target === "local") return "npm run stripe:setup";
  const key = `sk_${target === "production" ? "live" : "test"}_…`;
  const replacing = isReplaced ? ` WORKER_STRIPE_SECRET_KEY=${key}` : "";
  return `STRIPE_SECRET_KEY=${key}${replacing} npm run stripe:setup -- --to ${target}`;
}

const steps: Record<SetUpStepName, StepTexts> = {
  stripe: {
    title: "Connect Stripe",
    done: ({ mode }) =>
      ({ live: "A live key is set.", test: "A key of test mode is set.", emulator: "Stripe is emulated.", off: "" })[
        mode
      ],
    "to-do": ({ target }) =>
      target === "production"
        ? `Run ${setUpCommand(target)}. This is production, which takes live keys. To pay with a test card, deploy to staging first: npm run deploy -- --to staging.`
        : `Run ${setUpCommand(target)}. It also stores both secrets.`,
    problem: () => "Stripe didn't answer.",
  },
  prices: {
    title: "Create the prices",
    done: () => "Stripe has a price for every plan.",
    "to-do": () => "The same command creates them.",
    problem: ({ target }) => `Stripe didn't answer, or lacks a price. Run ${setUpCommand(target)} again.`,
  },
  "sign-up": {
    title: "Sign up",
    done: () => "There's an account.",
    "to-do": ({ gate }) =>
      gate === "signup"
        ? "Sign-up is by invitation. Ask for one with your own address, then run npm run ops -- invite 1."
        : "Choose a plan on this page and sign up with your own address.",
    problem: () => "",
  },
  email: {
    title: "Receive an email",
    done: () => "The email service accepted one.",
    "to-do": () => "Signing up sends the first.",
    problem: () => "The email service refused one. Run npm run doctor, and npm run ops -- review.",
  },
  payment: {
    title: "Pay",
    done: ({ orderNumber }) => `Order ${orderNumber} is paid.`,
    "to-do": ({ mode }) =>
      mode === "live"
        ? "Pay with your own card. It's a real charge: refund it afterwards in Stripe's dashboard."
        : "Pay with card 4242 4242 4242 4242, any future date and any three digits. Nothing is charged.",
    problem: () => "",
  },
  webhook: {
    title: "Hear from Stripe",
    done: () => "Stripe's events arrive.",
    "to-do": () => "The first event comes with the payment.",
    problem: ({ target }) =>
      `Stripe's events don't arrive; the payment was found without them. Run ${setUpCommand(target, true)}, then npm run doctor.`,
  },
};

const en = {
  steps,
  nextTest: `Refund it in Stripe's dashboard: its plan ends within a minute. Then go live. Do the same in production with a live key: ${setUpCommand("production")}.`,
  nextLive: (origin: string) =>
    `Refund it in Stripe's dashboard: its plan ends within a minute. This site is live. Check it: PUBLIC_ORIGIN=${origin} npm run doctor.`,
};

export const firstPaymentStepsMessages: Messages<typeof en> = { en };

const firstPaymentCardTexts = {
  title: "Your first payment",
  titleComplete: "Your first payment arrived",
  lead: `Only you see this, for ${formatSpan(operatorCookieMs)}. It updates automatically.`,
  states: { done: "Done", "to-do": "To do", problem: "Problem" } satisfies Record<StepState, string>,
  hide: "Hide these steps",
};

export const firstPaymentCardMessages: Messages<typeof firstPaymentCardTexts> = { en: firstPaymentCardTexts };
