import * as v from "valibot";
import { noteAct } from "#app/domain/operators/note-act.server.ts";
import { contestWithdrawalOf } from "#app/domain/orders/contest-withdrawal.server.ts";
import { describeOperatorCall, idField } from "./operator-call.ts";

const reasonField = v.pipe(
  v.string("reason-missing"),
  v.trim(),
  v.nonEmpty("reason-missing"),
  v.maxLength(300, "reason-too-long"),
);

/** What waits for somebody's eyes is decided, with a reason for the log. What it is about shows by its id. */
export const decide = describeOperatorCall({
  method: "POST",
  path: "/decisions",
  summary: "Decides what waits: an entry, a referral, a withdrawal",
  body: v.object({
    id: idField("id"),
    decision: v.picklist(["contest"], "decision-unknown"),
    reason: reasonField,
  }),
  problems: ["no-such-withdrawal", "withdrawal-closed"],
  run: (app, { operator, body: { id, decision, reason } }) =>
    noteAct(app, { operator, call: decision, subject: id, reason }, () => contestWithdrawalOf(app, id)),
});
