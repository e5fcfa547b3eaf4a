import * as v from "valibot";
import type { App } from "#app/app.ts";
import { called, cursorField, describeOperatorCall } from "#app/api/operator-call.ts";
import { renderPreview } from "#app/api/render-preview.ts";
import { readId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import type { FeatureServer } from "#app/feature-server.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { logOperatorCall } from "#app/modules/operators/commands/log-operator-call.server.ts";
import { type CursorRefusal, readPage } from "#app/modules/operators/reads/read-page.server.ts";
import { decideEntry } from "./commands/decide-entry.server.ts";
import { inviteNext } from "./commands/invite-next.server.ts";
import { waveMax } from "./invitations.rules.ts";
import { entriesList, previewEntryDecision, previewInvitation } from "./operators.server.ts";
import { type EntryState, entryStates, noEntry } from "./rules.ts";

/** Invites in addition to the schedule. */
const invite = describeOperatorCall({
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

const entries = describeOperatorCall({
  method: "GET",
  path: "/entries",
  summary: "The line before the gate that is closed, in its order; those of another state, when one is named",
  body: v.object({ state: v.optional(v.picklist(entryStates, "state-unknown"), "waiting"), after: cursorField }),
  problems: ["no-gate", "cursor-unknown"],
  run: (app, { operator, body: { state, after } }) =>
    logOperatorCall(app, { operator, call: "entries", subject: state }, () => listEntries(app, state, after)),
});

async function listEntries(
  app: App,
  state: EntryState,
  after: string | undefined,
): Promise<Result<unknown, { reason: "no-gate" } | CursorRefusal>> {
  const gate = gateWord(app.gate);
  if (gate === null) return refused({ reason: "no-gate" });
  const page = await readPage(entriesList(app, { gate, state }), after);
  return page.ok ? done({ gate, ...called("entries", page.value) }) : page;
}

export const operatorCalls = [invite, entries];

/** Of an entry under review. */
export const entryDecisions: NonNullable<FeatureServer["decisions"]> = {
  names: ["clear", "reject"],
  problems: ["entry-unknown", "decided-already", "place-is-over"],
  async decide(app, id, name) {
    const decision = name === "clear" ? "clear" : "reject";
    const decided = await decideEntry(app, readId("ent", id) ?? noEntry, decision);
    return decided.ok ? done(previewEntryDecision(app, decided.value, decision)) : decided;
  },
};
