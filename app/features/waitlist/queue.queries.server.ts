import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { entries, queueCounts } from "./schema.ts";
import { bucketLevels } from "./queue.rules.ts";

/**
 * The position of an entry, without a row if it isn't in the queue: counts those before it in its smallest bucket one by one, and whole
 * buckets before that level by level, so that the work doesn't grow with the queue.
 */
export function findQueuePosition(db: Database, entryHash: string) {
  return db.select({ ahead: sql<number>`ahead`, behind: sql<number>`behind` }).from(sql`(
    with
      mine as (select gate, sort_number, friends, number from ${entries} where entry_hash = ${entryHash} and state = 'waiting'),
      counted as (select ${wholeBuckets()} + ${nearby()} as ahead, ${allWaiting()} as waiting from mine)
    select ahead, waiting - 1 - ahead as behind from counted) position`);
}

/** The buckets before its smallest one, within the next larger one of each level. */
function wholeBuckets(): SQL {
  const parts = bucketLevels.map((level, index) => {
    const larger = bucketLevels[index + 1];
    const within = larger && sql` and bucket >= (mine.sort_number >> ${larger}) << ${larger - level}`;
    return sql`(select coalesce(sum(waiting), 0) from ${queueCounts} where gate = mine.gate and level = ${level}
      and bucket < mine.sort_number >> ${level}${within})`;
  });
  return sql.join(parts, sql` + `);
}

function nearby(): SQL {
  const [smallest] = bucketLevels;
  return sql`(select count(*) from ${entries} near where near.gate = mine.gate and near.state = 'waiting'
    and near.sort_number >= (mine.sort_number >> ${smallest}) << ${smallest} and near.sort_number <= mine.sort_number
    and (near.sort_number, near.friends = 0, near.number) < (mine.sort_number, mine.friends = 0, mine.number))`;
}

function allWaiting(): SQL {
  return sql`(select coalesce(sum(waiting), 0) from ${queueCounts} where gate = mine.gate and level = ${bucketLevels.at(-1)})`;
}

export const queueOrder = [entries.sortNumber, sql`${entries.friends} = 0`, entries.number] as const;
