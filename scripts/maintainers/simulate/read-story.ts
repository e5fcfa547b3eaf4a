import { readFileSync } from "node:fs";
import * as v from "valibot";
import type { Deed, Story, WorldChange } from "./story.ts";

const text = v.pipe(v.string(), v.nonEmpty());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const plan = v.picklist(["small", "large"]);
const interval = v.picklist(["month", "year"]);
const order = v.picklist(["newest", "oldest"]);
const when = v.picklist(["before", "after"]);
const nthCall = v.object({ call: v.pipe(count, v.minValue(1)), when });
const arrival = { address: v.pipe(v.string(), v.email()), by: v.optional(text), network: v.optional(count) };
const nothing = {};

/** The fields of each deed. */
const deeds: Record<Deed["do"], v.ObjectEntries> = {
  "signs up": arrival,
  "mistypes a code": nothing,
  "signs in": nothing,
  "signs in on another browser": nothing,
  "signs out": nothing,
  "signs out everywhere": nothing,
  buys: { plan, interval, with: text, returns: v.boolean() },
  "leaves the checkout": { plan, interval },
  "pays the open checkout": { with: text },
  "changes plan": { plan, interval },
  cancels: nothing,
  resumes: nothing,
  "keeps the plan": nothing,
  "declares a cancellation": { number: text, inDays: count },
  "takes the declaration back": nothing,
  "changes card": { with: text },
  "pays what is due": nothing,
  "looks at the plan": nothing,
  withdraws: { order, as: v.picklist(["owner", "anyone"]) },
  "closes the account": nothing,
  "restores the account": nothing,
  "changes address": { address: arrival.address },
  "takes the old address back": nothing,
  "changes name": nothing,
  "downloads the data": nothing,
  "activates a device": nothing,
  "uses the product": nothing,
  "reports usage": { share: v.pipe(v.number(), v.minValue(0)), hoursAgo: count },
  "removes a device": nothing,
  "asks to be let in": arrival,
  "confirms the request": nothing,
  "gives the place up": nothing,
  "still wants to join": nothing,
  "accepts an invitation": nothing,
  "is refunded": { order, share: v.pipe(v.number(), v.gtValue(0), v.maxValue(1)) },
  "has a withdrawal contested": nothing,
  "has a referral decided": { verdict: v.picklist(["approve", "void"]) },
  "has a request decided": { verdict: v.picklist(["clear", "reject"]) },
  "has charges put on hold": { invoices: v.picklist(["void", "mark_uncollectible", "keep_as_draft"]) },
  "has the hold lifted": nothing,
  "has a debt written off": { as: v.picklist(["uncollectible", "void"]) },
  disputes: { order },
  "wins the dispute": nothing,
  "loses the dispute": nothing,
  "is reported as fraud": { order },
};
const changes: Record<WorldChange["do"], v.ObjectEntries> = {
  "webhooks arrive": { how: v.picklist(["promptly", "late", "twice", "in reverse", "never"]) },
  email: { works: v.boolean() },
  "Stripe fails": { how: v.picklist(["before", "after", "429", "500", "html"]), times: count },
  "the database fails": { when, oneIn: v.pipe(count, v.minValue(1)), times: count },
  "the Worker dies": { during: v.picklist(["cron", "webhook"]), dies: nthCall },
  "everything settles": nothing,
};

const deedOfSomeone = (more: v.ObjectEntries) =>
  Object.entries(deeds).map(([name, entries]) =>
    v.strictObject({ do: v.literal(name), id: count, who: text, ...entries, ...more }),
  );
const beside = v.variant("do", deedOfSomeone({}));
const steps = v.variant("do", [
  ...deedOfSomeone({
    at: count,
    dies: v.optional(nthCall),
    databaseFails: v.optional(nthCall),
    heldBackMinutes: v.optional(count),
    beside: v.optional(beside),
  }),
  ...Object.entries(changes).map(([name, entries]) =>
    v.strictObject({ do: v.literal(name), id: count, at: count, ...entries }),
  ),
]);
const file = v.object({
  story: v.object({ seed: count, isGated: v.boolean(), steps: v.pipe(v.array(steps), v.minLength(1)) }),
});

/** A story that `--keep` stored. Throws an error that says what is wrong with the file. */
export function readStory(path: string): Story {
  const read = v.safeParse(file, JSON.parse(readFileSync(path, "utf8")));
  // The schema names each deed and its fields.
  if (read.success) return read.output.story as Story;
  const [issue] = read.issues;
  throw new Error(`${v.getDotPath(issue) ?? "The file"}: ${issue.message}`);
}
