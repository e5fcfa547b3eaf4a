import { readId, noCancellation, noReferral, noWithdrawal } from "#app/core/id.ts";
import * as v from "valibot";
import type { App } from "#app/app.ts";
import { invariant } from "#app/core/invariant.ts";
import { done, type Result } from "#app/core/result.ts";
import { text } from "#app/core/text/text.ts";
import { decisions, type DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import { logOperatorCall } from "#app/modules/operators/commands/log-operator-call.server.ts";
import {
  previewReferralDecision,
  previewContestedWithdrawal,
  previewAnsweredCancellation,
  type DraftPreview,
} from "#app/modules/operators/decision-emails.server.ts";
import { answerCancellation } from "#app/modules/billing/cancellations/commands/answer-cancellation.server.ts";
import { matchToOrder } from "#app/modules/billing/cancellations/commands/match-cancellation.server.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import { decideReferral } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { featureServers } from "#app/features.server.ts";
import type { ProblemCode } from "./problems.ts";
import { describeOperatorCall, idField } from "./operator-call.ts";
import { renderPreview } from "./render-preview.ts";

const ofFeatures = featureServers.flatMap(({ decisions: own }) => own ?? []);

const reasonField = v.pipe(
  text({ missing: "reason-missing", malformed: "reason-malformed" }),
  v.nonEmpty("reason-missing"),
  v.maxLength(300, "reason-too-long"),
);

/**
 * Decides a pending case, with a reason for the log; the reason for a contested withdrawal, and that for a closed cancellation, is emailed to
 * the customer; the one that matches a cancellation begins with the order. Returns what the customer is sent.
 */
export const decide = describeOperatorCall({
  method: "POST",
  path: "/decisions",
  summary:
    "Decides what waits: an entry, a referral, a friend discount (by its referral), a withdrawal, a cancellation",
  body: v.object({
    id: idField("id"),
    decision: v.picklist([...ofFeatures.flatMap(({ names }) => names), ...decisions], "decision-unknown"),
    reason: reasonField,
  }),
  problems: [
    ...ofFeatures.flatMap(({ problems }) => problems),
    "referral-unknown",
    "not-under-review",
    "no-such-withdrawal",
    "withdrawal-closed",
    "no-such-cancellation",
    "cancellation-closed",
    "no-such-order",
  ],
  run: (app, { operator, body: { id, decision, reason } }) =>
    logOperatorCall(app, { operator, call: decision, subject: id, reason }, async () =>
      carryOut(app, id, { decision, reason }),
    ),
});

type DecisionInput = { decision: string; reason: string };
type Refused =
  | { reason: ProblemCode }
  | Refusal<typeof decideReferral>
  | Refusal<typeof contestWithdrawal>
  | Refusal<typeof answerCancellation>
  | Refusal<typeof matchToOrder>;
type Outcome = { done: true; told: DecisionPreview };

async function carryOut(app: App, id: string, { decision, reason }: DecisionInput): Promise<Result<Outcome, Refused>> {
  const answer = (preview: DraftPreview): Result<Outcome, never> =>
    done({ done: true, told: renderPreview(app, preview) });
  const own = ofFeatures.find(({ names }) => names.includes(decision));
  if (own) {
    const decided = await own.decide(app, id, decision);
    return decided.ok ? answer(decided.value) : decided;
  }
  const known = decisions.find((each) => each === decision);
  invariant(known, "The call's schema lets no other decision through");
  switch (known) {
    case "approve":
    case "void": {
      const referralId = readId("ref", id) ?? noReferral;
      const decided = await decideReferral(app, referralId, { verdict: known, reason });
      return decided.ok
        ? answer(await previewReferralDecision(app, { id: referralId, verdict: known, decided: decided.value }))
        : decided;
    }
    case "contest": {
      const decided = await contestWithdrawal(app, readId("wdr", id) ?? noWithdrawal, reason);
      return decided.ok ? answer(previewContestedWithdrawal(decided.value, reason)) : decided;
    }
    case "match": {
      const decided = await matchToOrder(app, readId("ccl", id) ?? noCancellation, reason);
      return decided.ok ? answer({ emails: [], pages: [] }) : decided;
    }
    case "close": {
      const decided = await answerCancellation(app, readId("ccl", id) ?? noCancellation, reason);
      return decided.ok ? answer(previewAnsweredCancellation(decided.value)) : decided;
    }
  }
}

type Refusal<Command extends (...given: never[]) => Promise<unknown>> = Extract<
  Awaited<ReturnType<Command>>,
  { ok: false }
>["refusal"];
