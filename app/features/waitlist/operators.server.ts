import { gateName } from "#app/modules/catalogue/gate.rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { Base, OperatorHooks, Site } from "#app/app.ts";
import { type List, readPage } from "#app/modules/operators/reads/read-page.server.ts";
import type { Database } from "#app/db/database.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { DraftPreview } from "#app/modules/operators/decision-emails.server.ts";
import { invitationEmail } from "./commands/invite-next.server.ts";
import {
  countEntries,
  countEntriesIn,
  countEntriesUnderReview,
  listEntries,
  listEntriesUnderReview,
} from "./everyone.queries.server.ts";
import { invitationLifeMs } from "./invitations.rules.ts";
import { findEntriesOf, type SeenEntry } from "./reads/find-entries-of.server.ts";
import { entryCursor } from "./review.queries.server.ts";
import { type Entry, type EntryState, waitlistPath } from "./rules.ts";
import { attentionTo, undecidedOf } from "./summary.rules.ts";

export const operatorHooks: OperatorHooks = {
  async person(app, address) {
    const entries = await findEntriesOf(app, address);
    return { rows: entries.map(describeEntry), attention: attentionTo(entries), undecided: undecidedOf(entries) };
  },
  numbers: countEntries,
  reviewLists: { entries: (app, after) => readPage(flaggedList(app), after) },
};

function describeEntry({ id, gate, state, review, friends, position, confirmedAt, returned }: SeenEntry) {
  return {
    id,
    gate,
    state,
    review,
    friends,
    ahead: position?.ahead ?? null,
    behind: position?.behind ?? null,
    confirmedAt,
    returned,
  };
}

/** Infers the rows' type. */
const list = <Row, Shown>(described: List<Row, Shown>) => described;

function flaggedList({ db }: { db: Database }) {
  return list({
    ask: (after, limit) => listEntriesUnderReview(db, after, limit),
    count: () => countEntriesUnderReview(db),
    keys: 3,
    keysOf: ({ gate, number, id }) => [gate, number ?? 0, id],
    show: (rows) => rows.map(({ id, gate, state, email, confirmedAt }) => ({ id, gate, state, email, confirmedAt })),
  });
}

/** The entries waiting at a gate, or those in another state. */
export function entriesList({ db }: { db: Database }, section: { gate: string; state: EntryState }) {
  return list({
    ask: (after, limit) => listEntries(db, section, after, limit),
    count: () => countEntriesIn(db, section),
    keys: 2,
    keysOf: (row) => entryCursor(section.state, row),
    show: (rows) => rows,
  });
}

declare module "#app/modules/operators/decisions.rules.ts" {
  interface Previews {
    waitlist: { page: "waitlist"; shows: "waiting" | "rejected"; what: string };
  }
}

/** Replaces a secret that only the recipient gets. */
const withheld = "…";

/** For an invitation that will be sent later. */
const acceptUntil = `${invitationLifeMs / dayMs} days after this email`;

export function previewEntryDecision(app: Base & Site, entry: Entry, decision: "clear" | "reject"): DraftPreview {
  const what = gateName(app.product, entry.gate);
  if (decision === "reject") return { emails: [], pages: [{ page: "waitlist", shows: "rejected", what }] };
  return {
    emails: [{ to: entry.email, when: "when-invited", content: previewInvitation(app, entry.gate, acceptUntil) }],
    // An unconfirmed entry has no page with its position.
    pages: entry.state === "waiting" ? [{ page: "waitlist", shows: "waiting", what }] : [],
  };
}

/** The email of an invitation without its link, which is a secret. */
export function previewInvitation(app: Base & Site, gate: string, until: string): EmailContent {
  return invitationEmail(app, gate, { url: `${app.origin}${waitlistPath}?entry=${withheld}`, until });
}
