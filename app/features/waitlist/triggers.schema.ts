/**
 * What follows any change of an entry, in the same statement: its number, its place in the counts, and the positions that its referrer
 * gains by it. See app/features/waitlist/decision.md.
 */
import { bucketLevels, countedStates, positionsPerFriend } from "./queue.rules.ts";

const counted = `new."state" IN (${countedStates.map((state) => `'${state}'`).join(", ")}) AND new."review" = 'none'`;
const bucketsOf = (row: "new" | "old") => bucketLevels.map((level) => `(${level}, ${row}."sort_number" >> ${level})`);
const countOut = `UPDATE "queue_counts" SET "waiting" = "waiting" - 1 WHERE "gate" = old."gate" AND ("level", "bucket") IN (
		VALUES ${bucketsOf("old").join(", ")});`;

export const waitlistTriggers = [
  // An insert is treated as the change of state that it leaves out.
  `CREATE TRIGGER "entries_inserted" AFTER INSERT ON "entries" WHEN new."state" <> 'pending'
BEGIN
	UPDATE "entries" SET "state" = new."state" WHERE "id" = new."id";
END`,
  `CREATE TRIGGER "entries_get_number" AFTER UPDATE OF "state" ON "entries" WHEN new."state" = 'waiting' AND new."number" IS NULL
BEGIN
	UPDATE "entries" SET ("number", "sort_number") = (
		SELECT next."number", next."number"
		FROM (SELECT coalesce(max("number"), 0) + 1 AS "number" FROM "entries" WHERE "gate" = new."gate") AS next
	) WHERE "id" = new."id";
END`,
  // An entry that waits is counted in one bucket of each level.
  `CREATE TRIGGER "entries_count_in" AFTER UPDATE OF "state", "sort_number" ON "entries"
WHEN new."state" = 'waiting' AND new."sort_number" IS NOT NULL
	AND (old."state" <> 'waiting' OR old."sort_number" IS NOT new."sort_number")
BEGIN
	INSERT INTO "queue_counts" ("gate", "level", "bucket", "waiting") VALUES
		${bucketLevels.map((level) => `(new."gate", ${level}, new."sort_number" >> ${level}, 1)`).join(",\n\t\t")}
	ON CONFLICT DO UPDATE SET "waiting" = "waiting" + 1;
END`,
  `CREATE TRIGGER "entries_count_out" AFTER UPDATE OF "state", "sort_number" ON "entries"
WHEN old."state" = 'waiting' AND old."sort_number" IS NOT NULL
	AND (new."state" <> 'waiting' OR new."sort_number" IS NOT old."sort_number")
BEGIN
	${countOut}
END`,
  `CREATE TRIGGER "entries_deleted" AFTER DELETE ON "entries" WHEN old."state" = 'waiting' AND old."sort_number" IS NOT NULL
BEGIN
	${countOut}
END`,
  // A friend that counts moves its referrer in front of the fifth entry that still waits by a smaller number than that sort number; where
  // fewer do, by one position more for each that is missing.
  `CREATE TRIGGER "entries_move_referrer" AFTER UPDATE OF "state", "review" ON "entries"
WHEN new."referrer_entry_id" IS NOT NULL AND new."gift" = 0 AND ${counted}
BEGIN
	UPDATE "entries" SET "gift" = coalesce((
		SELECT moved."sort_number" - coalesce(
			(
				SELECT ahead."number" FROM "entries" AS ahead
				WHERE ahead."gate" = moved."gate" AND ahead."state" = 'waiting' AND ahead."number" < moved."sort_number"
				ORDER BY ahead."number" DESC LIMIT 1 OFFSET ${positionsPerFriend - 1}
			), (
				SELECT coalesce(min(ahead."number"), moved."sort_number") - ${positionsPerFriend} + count(*) FROM "entries" AS ahead
				WHERE ahead."gate" = moved."gate" AND ahead."state" = 'waiting' AND ahead."number" < moved."sort_number"
			)
		)
		FROM "entries" AS moved WHERE moved."id" = new."referrer_entry_id" AND moved."gate" = new."gate"
	), 0) WHERE "id" = new."id";
	UPDATE "entries"
	SET "friends" = "friends" + 1, "sort_number" = "sort_number" - (SELECT "gift" FROM "entries" WHERE "id" = new."id")
	WHERE "id" = new."referrer_entry_id" AND "gate" = new."gate" AND "sort_number" IS NOT NULL;
END`,
  // A friend that no longer counts takes back what it gave.
  `CREATE TRIGGER "entries_move_referrer_back" AFTER UPDATE OF "state", "review" ON "entries"
WHEN old."gift" > 0 AND NOT (${counted})
BEGIN
	UPDATE "entries" SET "friends" = "friends" - 1, "sort_number" = "sort_number" + old."gift"
	WHERE "id" = old."referrer_entry_id" AND "gate" = old."gate" AND "sort_number" IS NOT NULL;
	UPDATE "entries" SET "gift" = 0 WHERE "id" = old."id";
END`,
  // What is known of an entry by its id goes with it.
  `CREATE TRIGGER "referral_touches_entry_deleted" AFTER DELETE ON "entries"
BEGIN
	DELETE FROM "referral_touches" WHERE "entry_id" = old."id";
END`,
  `CREATE TRIGGER "referral_touches_entry_restarted" AFTER UPDATE OF "id" ON "entries" WHEN new."id" <> old."id"
BEGIN
	DELETE FROM "referral_touches" WHERE "entry_id" = old."id";
END`,
];
