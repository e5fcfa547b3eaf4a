CREATE TABLE `line_counts` (
	`gate` text NOT NULL,
	`level` integer NOT NULL,
	`bucket` integer NOT NULL,
	`waiting` integer NOT NULL,
	PRIMARY KEY(`gate`, `level`, `bucket`),
	CONSTRAINT "line_counts_waiting" CHECK("line_counts"."waiting" >= 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `waves` (
	`id` text PRIMARY KEY NOT NULL,
	`gate` text NOT NULL,
	`cause` text NOT NULL,
	`day` text NOT NULL,
	`size` integer NOT NULL,
	`started_at` integer NOT NULL,
	CONSTRAINT "waves_cause" CHECK("waves"."cause" in ('clock', 'operator'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `waves_of_day` ON `waves` (`gate`,`cause`,`day`);--> statement-breakpoint
CREATE INDEX `waves_old` ON `waves` (`started_at`);--> statement-breakpoint
DROP INDEX `entries_in_line`;--> statement-breakpoint
ALTER TABLE `entries` ADD `number` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `place` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `friends` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `entries` ADD `gift` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `entries` ADD `invitations` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `entries` ADD `missed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `entries` ADD `looks` text;--> statement-breakpoint
ALTER TABLE `entries` ADD `invited_at` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `invitation_expires_at` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `reminded_at` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `accepted_at` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `joined_at` integer;--> statement-breakpoint
ALTER TABLE `entries` ADD `told_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `entries_number` ON `entries` (`gate`,`number`);--> statement-breakpoint
CREATE INDEX `entries_by_number` ON `entries` (`gate`,`state`,`number`);--> statement-breakpoint
CREATE INDEX `entries_unconfirmed` ON `entries` (`confirm_expires_at`) WHERE "entries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `entries_invited` ON `entries` (`gate`,`invitation_expires_at`) WHERE "entries"."state" = 'invited';--> statement-breakpoint
CREATE INDEX `entries_untold` ON `entries` (`state`,`gate`) WHERE "entries"."told_at" is null;--> statement-breakpoint
CREATE INDEX `entries_under_review` ON `entries` (`gate`,`number`) WHERE "entries"."review" = 'under-review';--> statement-breakpoint
CREATE INDEX `entries_of_address` ON `entries` (`email_canonical`);--> statement-breakpoint
CREATE INDEX `entries_left` ON `entries` (`left_at`) WHERE "entries"."state" = 'left';--> statement-breakpoint
CREATE INDEX `entries_in_line` ON `entries` (`gate`,`state`,`place`,`number`);--> statement-breakpoint
UPDATE `entries` SET `number` = numbered.`number`, `place` = numbered.`number`
FROM (
	SELECT `id`, row_number() OVER (PARTITION BY `gate` ORDER BY `confirmed_at`, `id`) AS `number` FROM `entries`
	WHERE `state` IN ('waiting', 'invited', 'joined', 'resting')
) AS numbered
WHERE `entries`.`id` = numbered.`id`;--> statement-breakpoint
UPDATE `entries` SET `gift` = 5
WHERE `state` IN ('waiting', 'invited', 'joined', 'resting') AND `review` = 'none'
	AND EXISTS (SELECT 1 FROM `entries` AS brought_by WHERE brought_by.`id` = `entries`.`referrer_id` AND brought_by.`number` IS NOT NULL);--> statement-breakpoint
UPDATE `entries` SET `friends` = brought.`friends`, `place` = `number` - 5 * brought.`friends`
FROM (SELECT `referrer_id`, count(*) AS `friends` FROM `entries` WHERE `gift` > 0 GROUP BY `referrer_id`) AS brought
WHERE `entries`.`id` = brought.`referrer_id` AND `entries`.`number` IS NOT NULL;--> statement-breakpoint
DROP INDEX `entries_of_referrer`;--> statement-breakpoint
INSERT INTO `line_counts` (`gate`, `level`, `bucket`, `waiting`)
SELECT `gate`, `level`, `place` >> `level`, count(*)
FROM `entries`, (SELECT 5 AS `level` UNION ALL SELECT 10 UNION ALL SELECT 15 UNION ALL SELECT 20)
WHERE `state` = 'waiting' GROUP BY 1, 2, 3;--> statement-breakpoint
-- From here on by hand: what no statement has to remember (docs/decisions/0026 and 0027). First, who waits has a number.
CREATE TRIGGER `entries_begin` AFTER INSERT ON `entries` WHEN new.`state` <> 'pending'
BEGIN
	UPDATE `entries` SET `state` = new.`state` WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `entries_get_a_number` AFTER UPDATE OF `state` ON `entries` WHEN new.`state` = 'waiting' AND new.`number` IS NULL
BEGIN
	UPDATE `entries` SET (`number`, `place`) = (
		SELECT next.`number`, next.`number`
		FROM (SELECT coalesce(max(`number`), 0) + 1 AS `number` FROM `entries` WHERE `gate` = new.`gate`) AS next
	) WHERE `id` = new.`id`;
END;--> statement-breakpoint
-- Whoever stands in line is counted in its four buckets.
CREATE TRIGGER `entries_step_in` AFTER UPDATE OF `state`, `place` ON `entries`
WHEN new.`state` = 'waiting' AND new.`place` IS NOT NULL AND (old.`state` <> 'waiting' OR old.`place` IS NOT new.`place`)
BEGIN
	INSERT INTO `line_counts` (`gate`, `level`, `bucket`, `waiting`) VALUES
		(new.`gate`, 5, new.`place` >> 5, 1),
		(new.`gate`, 10, new.`place` >> 10, 1),
		(new.`gate`, 15, new.`place` >> 15, 1),
		(new.`gate`, 20, new.`place` >> 20, 1)
	ON CONFLICT DO UPDATE SET `waiting` = `waiting` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `entries_step_out` AFTER UPDATE OF `state`, `place` ON `entries`
WHEN old.`state` = 'waiting' AND old.`place` IS NOT NULL AND (new.`state` <> 'waiting' OR new.`place` IS NOT old.`place`)
BEGIN
	UPDATE `line_counts` SET `waiting` = `waiting` - 1 WHERE `gate` = old.`gate` AND (`level`, `bucket`) IN (
		VALUES (5, old.`place` >> 5), (10, old.`place` >> 10), (15, old.`place` >> 15), (20, old.`place` >> 20));
END;--> statement-breakpoint
CREATE TRIGGER `entries_vanish` AFTER DELETE ON `entries` WHEN old.`state` = 'waiting' AND old.`place` IS NOT NULL
BEGIN
	UPDATE `line_counts` SET `waiting` = `waiting` - 1 WHERE `gate` = old.`gate` AND (`level`, `bucket`) IN (
		VALUES (5, old.`place` >> 5), (10, old.`place` >> 10), (15, old.`place` >> 15), (20, old.`place` >> 20));
END;--> statement-breakpoint
-- A friend that counts moves its entry in front of the fifth one that still waits by a smaller number than that place; where fewer
-- do, by one place more for each that is missing.
CREATE TRIGGER `entries_give` AFTER UPDATE OF `state`, `review` ON `entries`
WHEN new.`referrer_id` IS NOT NULL AND new.`gift` = 0
	AND new.`state` IN ('waiting', 'invited', 'joined', 'resting') AND new.`review` = 'none'
BEGIN
	UPDATE `entries` SET `gift` = coalesce((
		SELECT moved.`place` - coalesce(
			(
				SELECT ahead.`number` FROM `entries` AS ahead
				WHERE ahead.`gate` = moved.`gate` AND ahead.`state` = 'waiting' AND ahead.`number` < moved.`place`
				ORDER BY ahead.`number` DESC LIMIT 1 OFFSET 4
			), (
				SELECT coalesce(min(ahead.`number`), moved.`place`) - 5 + count(*) FROM `entries` AS ahead
				WHERE ahead.`gate` = moved.`gate` AND ahead.`state` = 'waiting' AND ahead.`number` < moved.`place`
			)
		)
		FROM `entries` AS moved WHERE moved.`id` = new.`referrer_id` AND moved.`gate` = new.`gate`
	), 0) WHERE `id` = new.`id`;
	UPDATE `entries` SET `friends` = `friends` + 1, `place` = `place` - (SELECT `gift` FROM `entries` WHERE `id` = new.`id`)
	WHERE `id` = new.`referrer_id` AND `gate` = new.`gate` AND `place` IS NOT NULL;
END;--> statement-breakpoint
-- One that counts no more takes back what it gave.
CREATE TRIGGER `entries_take_back` AFTER UPDATE OF `state`, `review` ON `entries`
WHEN old.`gift` > 0 AND NOT (new.`state` IN ('waiting', 'invited', 'joined', 'resting') AND new.`review` = 'none')
BEGIN
	UPDATE `entries` SET `friends` = `friends` - 1, `place` = `place` + old.`gift`
	WHERE `id` = old.`referrer_id` AND `gate` = old.`gate` AND `place` IS NOT NULL;
	UPDATE `entries` SET `gift` = 0 WHERE `id` = old.`id`;
END;
