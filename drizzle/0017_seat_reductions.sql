CREATE TABLE `seat_reductions` (
	`account_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`seats` integer,
	`announced_at` integer,
	`releases_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "seat_reductions_state" CHECK("seat_reductions"."state" in ('due', 'announced')),
	CONSTRAINT "seat_reductions_announced" CHECK("seat_reductions"."state" = 'due' or "seat_reductions"."releases_at" is not null)
) STRICT;
--> statement-breakpoint
CREATE INDEX `seat_reductions_by_state` ON `seat_reductions` (`state`,`releases_at`);--> statement-breakpoint
-- Another plan, or none any more, may have fewer seats than there are devices. Whatever writes it: the sweep of devices looks at it next.
CREATE TRIGGER `seat_reductions_plan_began` AFTER INSERT ON `subscriptions`
WHEN EXISTS (SELECT 1 FROM `devices` WHERE `account_id` = new.`account_id` AND `state` = 'active')
BEGIN
	INSERT INTO `seat_reductions` (`account_id`, `state`) SELECT new.`account_id`, 'due'
		WHERE NOT EXISTS (SELECT 1 FROM `seat_reductions` WHERE `account_id` = new.`account_id`);
	UPDATE `seat_reductions` SET `state` = 'due' WHERE `account_id` = new.`account_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `seat_reductions_plan_changed` AFTER UPDATE OF `state`, `plan_id` ON `subscriptions`
WHEN (new.`state` <> old.`state` OR new.`plan_id` <> old.`plan_id`)
	AND EXISTS (SELECT 1 FROM `devices` WHERE `account_id` = new.`account_id` AND `state` = 'active')
BEGIN
	INSERT INTO `seat_reductions` (`account_id`, `state`) SELECT new.`account_id`, 'due'
		WHERE NOT EXISTS (SELECT 1 FROM `seat_reductions` WHERE `account_id` = new.`account_id`);
	UPDATE `seat_reductions` SET `state` = 'due' WHERE `account_id` = new.`account_id`;
END;
