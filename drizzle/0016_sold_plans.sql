CREATE TABLE `sold_plans` (
	`plan_id` text PRIMARY KEY NOT NULL,
	`plan` text,
	`missing_since` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `subscriptions_of_plan` ON `subscriptions` (`plan_id`) WHERE "subscriptions"."state" not in ('ended', 'incomplete');--> statement-breakpoint
INSERT INTO `sold_plans` (`plan_id`)
SELECT `plan_id` FROM `subscriptions` UNION SELECT `pending_plan_id` FROM `subscriptions` WHERE `pending_plan_id` IS NOT NULL
UNION SELECT `plan_id` FROM `orders`;
