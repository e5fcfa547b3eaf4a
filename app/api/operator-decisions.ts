import { readId, noCancellation, noEntry, noReferral, noWithdrawal } from "#app/core/id.ts";
import * as v from "valibot";
import type { App } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { text } from "#app/core/text/text.ts";
import { type Decision, decisions, type DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import { logOperatorCall } from "#app/modules/operators/commands/log-operator-call.server.ts";
import {
  previewInvitation,
  previewEntryDecision,
  previewReferralDecision,
  previewContestedWithdrawal,
  previewAnsweredCancellation,
  type DraftPreview,
} from "#app/modules/operators/decision-emails.server.ts";
import { answerCancellation } from "#app/modules/billing/cancellations/commands/answer-cancellation.server.ts";
import { matchToOrder } from "#app/modules/billing/cancellations/commands/match-cancellation.server.ts";
import { contestWithdrawal } from "#app/modules/billing/withdrawals/commands/contest-withdrawal.server.ts";
import { decideReferral } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { decideEntry } from "#app/modules/waitlist/commands/decide-entry.server.ts";
import { inviteNext } from "#app/modules/waitlist/commands/invite-next.server.ts";
import { waveMax } from "#app/modules/waitlist/invitations.rules.ts";
import { describeOperatorCall, idField } from "./operator-call.ts";
import { renderPreview } from "./render-preview.ts";

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
    decision: v.picklist(decisions, "decision-unknown"),
    reason: reasonField,
  }),
  problems: [
    "entry-unknown",
    "decided-already",
    "place-is-over",
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

type DecisionInput = { decision: Decision; reason: string };
type Refused =
  | Refusal<typeof decideEntry>
  | Refusal<typeof decideReferral>
  | Refusal<typeof contestWithdrawal>
  | Refusal<typeof answerCancellation>
  | Refusal<typeof matchToOrder>;
type Outcome = { done: true; told: DecisionPreview };

async function carryOut(app: App, id: string, { decision, reason }: DecisionInput): Promise<Result<Outcome, Refused>> {
  const answer = (preview: DraftPreview): Result<Outcome, never> =>
    done({ done: true, told: renderPreview(app, preview) });
  switch (decision) {
    case "clear":
    case "reject": {
      const decided = await decideEntry(app, readId("ent", id) ?? noEntry, decision);
      return decided.ok ? answer(previewEntryDecision(app, decided.value, decision)) : decided;
    }
    case "approve":
    case "void": {
      const referralId = readId("ref", id) ?? noReferral;
      const decided = await decideReferral(app, referralId, { verdict: decision, reason });
      return decided.ok
        ? answer(await previewReferralDecision(app, { id: referralId, verdict: decision, decided: decided.value }))
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

/** Invites in addition to the schedule. */
export const invite = describeOperatorCall({
  method: "POST",
  path: "/invitations",
  summary: "Invites the next ones in line",
  body: v.object({
    count: v.pipe(
      v.number("count-malformed"),
      v.integer("count-malformed"),
      v.minValue(1, "count-malformed"),
      v.maxValue(waveMax, "count-too-large"),
    ),
  }),
  problems: ["no-gate"],
  run: (app, { operator, body: { count } }) =>
    logOperatorCall(app, { operator, call: "invite", subject: String(count) }, () => inviteAndDescribe(app, count)),
});

/** Returns who was invited, and their email without its personal link. */
async function inviteAndDescribe(app: App, count: number) {
  const result = await inviteNext(app, count);
  if (!result.ok) return result;
  const { gate, until, ...invited } = result.value;
  const content = previewInvitation(app, gate, until);
  const emails = invited.invited > 0 ? [{ to: null, when: "now" as const, content }] : [];
  return done({ ...invited, told: renderPreview(app, { emails, pages: [] }) });
}
