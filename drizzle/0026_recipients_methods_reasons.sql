CREATE TABLE `cancellation_reasons` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`reason` text NOT NULL,
	`comment` text,
	`given_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "cancellation_reasons_reason" CHECK("cancellation_reasons"."reason" in ('too-expensive', 'unused', 'feature-missing', 'unreliable', 'other-product', 'other'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `cancellation_reasons_of_account` ON `cancellation_reasons` (`account_id`);--> statement-breakpoint
CREATE INDEX `cancellation_reasons_by_time` ON `cancellation_reasons` (`given_at`);--> statement-breakpoint
ALTER TABLE `mails` ADD `recipient_id` text;--> statement-breakpoint
CREATE INDEX `mails_of_recipient` ON `mails` (`recipient_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `given_name` text;--> statement-breakpoint
-- Emails from before the column, which are named after the row they are about.
UPDATE `mails` SET `recipient_id` = (
	SELECT coalesce(
		(SELECT `id` FROM `accounts` WHERE `id` = `about`.`id`),
		(SELECT `account_id` FROM `orders` WHERE `id` = `about`.`id`),
		(SELECT `id` FROM `entries` WHERE `id` = `about`.`id`),
		(SELECT CASE WHEN `mails`.`template` IN ('reward-earned', 'reward-reversed') THEN `referrer_id` ELSE `friend_id` END FROM `referrals` WHERE `id` = `about`.`id`),
		(SELECT `accounts`.`id` FROM `withdrawals` JOIN `accounts` ON `accounts`.`email_canonical` = `withdrawals`.`email` WHERE `withdrawals`.`id` = `about`.`id`),
		(SELECT `orders`.`account_id` FROM `withdrawals` JOIN `orders` ON `orders`.`id` = `withdrawals`.`order_id` WHERE `withdrawals`.`id` = `about`.`id` AND `withdrawals`.`declared_by` = 'owner'),
		(SELECT `accounts`.`id` FROM `codes` JOIN `accounts` ON `accounts`.`email_canonical` = `codes`.`address` WHERE `codes`.`mail_id` = `mails`.`id`))
	FROM (SELECT substr(`mails`.`id`, 6, instr(substr(`mails`.`id`, 6) || '.', '.') - 1) AS `id`) AS `about`);--> statement-breakpoint
-- Dates and amounts are written in the language of the pages, in one of three formats.
UPDATE `accounts` SET `locale` = CASE `locale` WHEN 'en-US' THEN 'en-US' WHEN 'sv-SE' THEN 'en-CA' ELSE 'en-GB' END;
