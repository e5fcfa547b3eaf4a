import type { Interval } from "#app/core/time/interval.ts";

/** The cheapest and the next plan that the config sells: a story is played on any product. */
export type PlanRole = "small" | "large";

/** How a payment is made. A person's own card succeeds; `card of` is another person's. */
export type Means =
  | "own card"
  | "second card"
  | "declined card"
  | "card to confirm"
  | "card that fails later"
  | "bank debit"
  | "bank debit that fails"
  | "wallet"
  | `card of ${string}`;

/** Where a Worker dies: before or after its nth call to the database, Stripe or the email service. */
export type Death = { call: number; when: "before" | "after" };

/** Which call to the database fails: before anything is written, or after it was written, and the answer is lost. */
export type FailingCall = { call: number; when: "before" | "after" };

/** What becomes of invoices while a plan's charges are on hold, as in Stripe's dashboard. */
export type HeldInvoices = "void" | "mark_uncollectible" | "keep_as_draft";

/** The number in a declaration: of their newest order, of no order, or of the newest one of another person. */
export type DeclaredNumber = "own" | "wrong" | `of ${string}`;

/** What people, the team, banks and the world do. */
export type Deed =
  | { do: "signs up"; address: string; by?: string; network?: number }
  | { do: "mistypes a code" }
  | { do: "signs in" }
  | { do: "signs in on another browser" }
  | { do: "signs out" }
  | { do: "signs out everywhere" }
  | { do: "buys"; plan: PlanRole; interval: Interval; with: Means; returns: boolean }
  | { do: "leaves the checkout"; plan: PlanRole; interval: Interval }
  | { do: "pays the open checkout"; with: Means }
  | { do: "changes plan"; plan: PlanRole; interval: Interval }
  | { do: "cancels" }
  | { do: "resumes" }
  | { do: "keeps the plan" }
  /** On `/cancel`, without signing in. `inDays`: the day on which it is wanted to end; 0 is as early as possible. */
  | { do: "declares a cancellation"; number: DeclaredNumber; inDays: number }
  | { do: "takes the declaration back" }
  | { do: "changes card"; with: Means }
  | { do: "pays what is due" }
  | { do: "looks at the plan" }
  | { do: "withdraws"; order: "newest" | "oldest"; as: "owner" | "anyone" }
  | { do: "closes the account" }
  | { do: "restores the account" }
  | { do: "changes address"; address: string }
  | { do: "takes the old address back" }
  | { do: "changes name" }
  | { do: "downloads the data" }
  | { do: "activates a device" }
  | { do: "uses the product" }
  /** Usage of the first meter: a share of what the plan allows, measured so many hours ago. */
  | { do: "reports usage"; share: number; hoursAgo: number }
  | { do: "removes a device" }
  | { do: "asks to be let in"; address: string; by?: string; network?: number }
  | { do: "confirms the request" }
  | { do: "gives the place up" }
  | { do: "still wants to join" }
  | { do: "accepts an invitation" }
  | { do: "is refunded"; order: "newest" | "oldest"; share: number }
  | { do: "has a withdrawal contested" }
  | { do: "has a referral decided"; verdict: "approve" | "void" }
  | { do: "has a request decided"; verdict: "clear" | "reject" }
  | { do: "has charges put on hold"; invoices: HeldInvoices }
  | { do: "has the hold lifted" }
  | { do: "has a debt written off"; as: "uncollectible" | "void" }
  | { do: "disputes"; order: "newest" | "oldest" }
  | { do: "wins the dispute" }
  | { do: "loses the dispute" }
  | { do: "is reported as fraud"; order: "newest" | "oldest" };

/** What happens around the people, until another step says otherwise. */
export type WorldChange =
  | { do: "webhooks arrive"; how: "promptly" | "late" | "twice" | "in reverse" | "never" }
  | { do: "email"; works: boolean }
  | { do: "Stripe fails"; how: "before" | "after" | "429" | "500" | "html"; times: number }
  /** One in so many calls fails, until so many have failed. */
  | { do: "the database fails"; when: "before" | "after"; oneIn: number; times: number }
  | { do: "the Worker dies"; during: "cron" | "webhook"; dies: Death }
  | { do: "everything settles" };

/** What goes wrong with a step, and what happens beside it. */
export type Circumstances = {
  dies?: Death;
  databaseFails?: FailingCall;
  /** How many minutes after the rest the last byte of the form arrives. */
  heldBackMinutes?: number;
  /** A deed that happens while this one is under way. Their calls take turns in a seeded order. */
  beside?: { id: number; who: string } & Deed;
};

export type PersonStep = Deed &
  Circumstances & {
    /** Names the step, so that its chance doesn't depend on the other steps. */
    id: number;
    /** Minutes since the story began. */
    at: number;
    who: string;
  };
export type WorldStep = WorldChange & { id: number; at: number };
export type Step = PersonStep | WorldStep;

export type Story = {
  /** Determines ids, codes and the order of calls. */
  seed: number;
  /** Whether the large plan is open by invitation only. */
  isGated: boolean;
  steps: Step[];
  /** Asks for what is told of it once it is over (`Played.told`). With `prices`, the config's change then, and a month passes. */
  rehearsal?: { prices: NewPrices | null };
};

/** Prices in minor units, by plan and interval. */
export type NewPrices = Record<string, Partial<Record<Interval, number>>>;

/** What a story did to the site's customers, in rows as they were at its end. Times are in milliseconds since 1970. */
export type Told = {
  people: { who: string; joinedAt: number | null; subscriptions: ToldSubscription[] }[];
  orders: ToldOrder[];
  emails: ToldEmail[];
  /** What new prices change for each person whose plan runs. Null if there were none. */
  change: ToldChange[] | null;
};

export type ToldSubscription = {
  state: string;
  planId: string;
  interval: Interval;
  amountMinor: number;
  periodEndsAt: number;
  cancelsAt: number | null;
};

export type ToldOrder = {
  who: string;
  kind: string;
  state: string;
  planId: string;
  interval: Interval;
  amountMinor: number;
  refundedMinor: number;
  createdAt: number;
  paidAt: number | null;
};

export type ToldEmail = { who: string; template: string; subject: string; text: string; at: number };

export type ToldChange = {
  who: string;
  planId: string;
  interval: Interval;
  /** What they pay per interval before and after, and what the plan costs whoever buys it now. */
  beforeMinor: number;
  afterMinor: number;
  newMinor: number;
  /** What was charged within a month of the change. */
  chargedMinor: number;
  nextChargeAt: number | null;
  /** Subjects of the emails of that month. */
  emails: string[];
};

export type Violation = { invariant: string; details: unknown; afterStep: number | null; at: number };

export type Broken = Pick<Violation, "invariant" | "details">;

export type Played = {
  violation: Violation | null;
  /** How each step ended: `done`, `died`, or why it was refused. */
  outcomes: Record<number, string>;
  /** SHA-256 of every table, Stripe's objects and the emails. */
  hash: string;
  /** Real milliseconds by kind of step. */
  spent: Record<string, number>;
  /** What was reported as a bug, and how often. */
  reports: Record<string, number>;
  calls: { database: number; stripe: number };
  emails: number;
  told?: Told;
  /** Days from the beginning to the end, or to the violation. */
  lastedDays: number;
};
