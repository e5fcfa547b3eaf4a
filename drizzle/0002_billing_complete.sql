CREATE TABLE `withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text,
	`state` text NOT NULL,
	`name` text NOT NULL,
	`order_typed` text NOT NULL,
	`email` text NOT NULL,
	`declared_at` integer NOT NULL,
	`acknowledged_at` integer,
	`closed_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "withdrawals_state" CHECK("withdrawals"."state" in ('declared', 'acknowledged', 'refunded', 'contested'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `withdrawals_by_state` ON `withdrawals` (`state`,`declared_at`);--> statement-breakpoint
CREATE INDEX `withdrawals_of_order` ON `withdrawals` (`order_id`);--> statement-breakpoint
CREATE INDEX `withdrawals_of_address` ON `withdrawals` (`email`);--> statement-breakpoint
CREATE TABLE `sweep_marks` (
	`name` text PRIMARY KEY NOT NULL,
	`mark` text NOT NULL
) STRICT;
--> statement-breakpoint
DROP INDEX `orders_one_open`;--> statement-breakpoint
ALTER TABLE `orders` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `next_try_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `proration_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_one_open` ON `orders` (`account_id`) WHERE "orders"."kind" <> 'renewal' and "orders"."state" in ('draft', 'pending', 'processing', 'needs-action', 'failed');--> statement-breakpoint
CREATE TABLE `__new_order_moments` (
	`order_id` text NOT NULL,
	`what` text NOT NULL,
	`cause` text DEFAULT '' NOT NULL,
	`amount_minor` integer,
	`happened_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `what`, `cause`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_order_moments`("order_id", "what", "cause", "amount_minor", "happened_at") SELECT "order_id", "what", '', NULL, "happened_at" FROM `order_moments`;--> statement-breakpoint
DROP TABLE `order_moments`;--> statement-breakpoint
ALTER TABLE `__new_order_moments` RENAME TO `order_moments`;--> statement-breakpoint
ALTER TABLE `customers` ADD `credit_minor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `synced_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `customers` ADD `asked_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_by_turn` ON `customers` (`asked_at`);--> statement-breakpoint
ALTER TABLE `webhook_events` ADD `payment_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pending_plan_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pending_interval` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pending_at` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_by_state` ON `subscriptions` (`state`,`period_ends_at`);