import type { FeatureServer } from "#app/feature-server.ts";
import { bringers } from "./bringers.queries.server.ts";
import { sweepWaitlist } from "./commands/sweep-waitlist.server.ts";
import { entryDecisions, operatorCalls } from "./operator-calls.ts";
import { waitlistPerMinuteOf } from "./config.rules.ts";
import { joinEntries } from "./commands/join-entries.server.ts";
import { findInvitation, isInvitedToSignUp } from "./gatekeeper.queries.server.ts";
import { listPasses } from "./invitations.queries.server.ts";
import { operatorHooks } from "./operators.server.ts";
import { erasePerson, listOwnEntries } from "./personal-data.queries.server.ts";
import { checkAdmission, showInvitation } from "./reads/show-invitation.server.ts";
import {
  changeToReturned,
  findUnsubscribed,
  findUnsubscribedEntry,
  idsAt,
  unsubscribeEntries,
} from "./returns.queries.server.ts";
import { entryToken } from "./rules.ts";
import { transferEntries } from "./transfer.queries.server.ts";

export const waitlist: FeatureServer = {
  name: "waitlist",
  erase: erasePerson,
  exported: listOwnEntries,
  addressChanged: (db, { from, to, guard }) => [...transferEntries(db, from, to, guard)],
  emailReturned: (db, { address, kind, guard }) => [changeToReturned(db, address, kind, guard)],
  signedUp: joinEntries,
  paid: joinEntries,
  recipientsAt: idsAt,
  emailsPerMinute: waitlistPerMinuteOf,
  optionalEmails: {
    subject: "waitlist",
    templates: ["waitlist-invited", "waitlist-reminder", "doors-open"],
    stop: unsubscribeEntries,
    findStopped: findUnsubscribed,
    findStoppedBy: findUnsubscribedEntry,
  },
  bringers,
  gatekeeper: {
    admits: isInvitedToSignUp,
    findInvitation,
    listPasses,
    showInvitation,
    checkAdmission,
    invitationToken: ({ pepper }, id) => entryToken(pepper, id),
  },
  operators: operatorHooks,
  operatorCalls,
  decisions: entryDecisions,
  jobs: { beforeEmails: sweepWaitlist },
};
