import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { activityFacts } from "#app/modules/accounts/activities.rules.ts";
import { addActivityOf } from "#app/modules/accounts/activities.queries.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatDay } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { DeviceEmail } from "../emails.messages.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { seatsOfPlans } from "../reads/find-entitlement.server.ts";
import { decideSeats, nameDevices, surplusOf } from "../seats.rules.ts";
import {
  announceSeatReduction,
  endSeatReduction,
  removeSeatReduction,
  changeSeatReductionToAnnounced,
  releaseSeats,
} from "../seats.queries.server.ts";
import { listSeatReductions } from "../everyone.queries.server.ts";
import { listByUse, type Seats } from "../queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;
type Reduction = Awaited<ReturnType<typeof listSeatReductions>>[number]["reduction"];
/** `seats` is null if no plan is in force. */
type Row = { reduction: Reduction; owner: Account; seats: number | null; used: number };
type RowOfPlan = Row & { seats: number };

/** Accounts of each kind per run of the cron job. */
const accountsMax = 25;

/**
 * The cron job's part: emails owners with more devices than seats, and on the day the email named removes the devices used least
 * recently. Idempotent and safe to run concurrently or to kill: each account is one batch, which checks that the rows it was decided from
 * are unchanged.
 */
export async function reduceSeats(app: Deps): Promise<void> {
  const now = app.clock();
  const seats = seatsOfPlans(app.product);
  for (const input of ["due" as const, { until: now }]) {
    // This is a separate query, since a D1 batch returns objects by column name and this join has some names twice.
    for (const { reduction, owner, ...row } of await listSeatReductions(app.db, input, seats, accountsMax)) {
      try {
        await reduce(app, { ...row, reduction, owner }, seats);
      } catch (error) {
        // An account that fails doesn't delay the others.
        app.report(error);
      }
    }
  }
}

async function reduce(app: Deps, row: Row, ofPlans: Seats): Promise<void> {
  const { db } = app;
  const { reduction, seats, used } = row;
  const { accountId, state } = reduction;
  const seen = { accountId, state, seats, used };
  const verdict = decideSeats(reduction, row, app.clock());
  if (seats === null || verdict.what === "forget") {
    await db.batch([removeSeatReduction(db, seen, ofPlans)]);
    return;
  }
  switch (verdict.what) {
    case "keep":
      await db.batch([changeSeatReductionToAnnounced(db, accountId)]);
      return;
    case "announce":
      return announce(app, { ...row, seats }, verdict.releasesAt, ofPlans);
    case "release":
      return release(app, { ...row, seats }, ofPlans);
    case "wait":
      return;
  }
}

async function announce(app: Deps, row: RowOfPlan, releasesAt: number, ofPlans: Seats): Promise<void> {
  const { db } = app;
  const { reduction, owner, seats, used } = row;
  const { accountId, state } = reduction;
  const surplus = surplusOf(await listByUse(db, accountId), seats);
  const email = await sealEmail(
    app,
    owner.email,
    {
      template: "seats-reduced",
      used,
      seats,
      removed: formatDay(releasesAt, owner),
      ...nameDevices(surplus.map(({ name }) => name)),
      url: app.origin + segmentPath(app.product, "account"),
    },
    `${accountId}.seats-reduced.${releasesAt}`,
  );
  const times = { now: app.clock(), releasesAt };
  await db.batch([
    announceSeatReduction(db, { accountId, state, seats, used }, times, ofPlans),
    addEmail(db, email, justChanged),
  ]);
  app.later(deliverEmail(app, email.id));
}

async function release(app: Deps, row: RowOfPlan, ofPlans: Seats): Promise<void> {
  const { db } = app;
  const { reduction, owner, seats, used } = row;
  const { accountId, state, releasesAt } = reduction;
  const surplus = surplusOf(await listByUse(db, accountId), seats);
  const content: DeviceEmail = {
    template: "seats-released",
    seats,
    ...nameDevices(surplus.map(({ name }) => name)),
    url: app.origin + segmentPath(app.product, "account"),
  };
  const email = await sealEmail(app, owner.email, content, `${accountId}.seats-released.${releasesAt}`);
  const ids = surplus.map(({ id }) => id);
  await db.batch([
    releaseSeats(db, { accountId, state, seats, used }, ids, app.clock(), ofPlans),
    endSeatReduction(db, accountId),
    ...surplus.map(({ name }) =>
      addActivityOf(
        db,
        { ...activityFacts(app, "device-removed", null, "automatic"), accountId, device: name, country: null },
        justChanged,
      ),
    ),
    addEmail(db, email, justChanged),
  ]);
  app.later(deliverEmail(app, email.id));
}
