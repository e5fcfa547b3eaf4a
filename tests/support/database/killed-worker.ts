import type { App } from "#app/app.ts";
import type { Database } from "#app/db/database.server.ts";

/**
 * The database of a Worker that is killed at its nth batch: before it reaches the database, or after it was written
 * and before the answer is read. Batches are counted from one.
 */
export function killedAtBatch(db: Database, nth: number, when: "before" | "after"): Database {
  let batches = 0;
  const batch: Database["batch"] = async (statements) => {
    batches += 1;
    if (batches === nth && when === "before") throw new Error("killed");
    const answer = await db.batch(statements);
    if (batches === nth) throw new Error("killed");
    return answer;
  };
  // Everything else is the real one's.
  return Object.assign(Object.create(db) as Database, { batch });
}

/** Every point at which a command can be killed, from how many batches and calls it makes otherwise. */
function killPointsAmong(made: { batches: number; calls: number }): KillPoint[] {
  return (["batch", "call"] as const).flatMap((kind) =>
    Array.from({ length: kind === "batch" ? made.batches : made.calls }, (_, index) => index + 1).flatMap((nth) =>
      // "Before" a batch equals "after" the previous one, so only the first needs a separate "before".
      (nth === 1 ? (["before", "after"] as const) : (["after"] as const)).map((when) => ({ kind, nth, when })),
    ),
  );
}

/** Counts what a command makes when it isn't killed. */
export function counting({ db, payments }: { db: Database; payments: Payments }) {
  let batches = 0;
  const batch: Database["batch"] = (statements) => {
    batches += 1;
    return db.batch(statements);
  };
  const counted = killedAtCall(payments, Infinity, "before");
  return {
    app: { db: Object.assign(Object.create(db) as Database, { batch }), payments: counted.payments },
    killPoints: () => killPointsAmong({ batches, calls: counted.counted.calls }),
  };
}

/** The error of a command that is killed there. */
export function killedAt({ kind, nth, when }: KillPoint, { db, payments }: { db: Database; payments: Payments }) {
  return kind === "batch"
    ? { db: killedAtBatch(db, nth, when), payments }
    : { db, payments: killedAtCall(payments, nth, when).payments };
}

export type KillPoint = { kind: "batch" | "call"; nth: number; when: "before" | "after" };

type Payments = NonNullable<App["payments"]>;
type Call = (...messages: unknown[]) => Promise<unknown>;

/**
 * The payment provider for a Worker that is killed at its nth call: before it is sent, or after it was carried out
 * and before the answer is read. Calls are counted from one; `calls` says how many there were.
 */
export function killedAtCall(payments: Payments, nth: number, when: "before" | "after") {
  const counted = { calls: 0 };
  const counting = new Proxy(payments, {
    get(target, name: keyof Payments) {
      if (name === "readEvent" || name === "withOwnDeadline") return target[name];
      const call = target[name] as unknown as Call;
      return async (...messages: unknown[]) => {
        counted.calls += 1;
        const isTheOne = counted.calls === nth;
        if (isTheOne && when === "before") throw new Error("killed");
        const answer = await call(...messages);
        if (isTheOne) throw new Error("killed");
        return answer;
      };
    },
  });
  return { payments: counting, counted };
}
