CREATE TABLE `customer_marks` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`first_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customer_marks_kind" CHECK("customer_marks"."kind" in ('mailbox', 'payment-method'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `customer_marks_of_account` ON `customer_marks` (`account_id`);--> statement-breakpoint
CREATE TABLE `friend_discounts` (
	`referral_id` text PRIMARY KEY NOT NULL,
	`friend_id` text NOT NULL,
	`order_id` text NOT NULL,
	`state` text NOT NULL,
	`why` text,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`mailbox_hash` text,
	`method_hash` text,
	`domain_hash` text,
	`decision` text,
	`refund_id` text,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`paid_at` integer,
	FOREIGN KEY (`referral_id`) REFERENCES `referrals`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`friend_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "friend_discounts_state" CHECK("friend_discounts"."state" in ('under-review', 'due', 'paid', 'refused')),
	CONSTRAINT "friend_discounts_amount" CHECK("friend_discounts"."amount_minor" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `friend_discounts_orderId_unique` ON `friend_discounts` (`order_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `friend_discounts_mailboxHash_unique` ON `friend_discounts` (`mailbox_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `friend_discounts_methodHash_unique` ON `friend_discounts` (`method_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `friend_discounts_refundId_unique` ON `friend_discounts` (`refund_id`);--> statement-breakpoint
CREATE INDEX `friend_discounts_of_friend` ON `friend_discounts` (`friend_id`);--> statement-breakpoint
CREATE INDEX `friend_discounts_of_domain` ON `friend_discounts` (`domain_hash`) WHERE "friend_discounts"."domain_hash" is not null;--> statement-breakpoint
CREATE INDEX `friend_discounts_by_state` ON `friend_discounts` (`state`,`created_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `mailbox_marked_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_unmarked` ON `accounts` (`created_at`) WHERE "accounts"."mailbox_marked_at" is null and "accounts"."state" <> 'gone';--> statement-breakpoint
ALTER TABLE `orders` ADD `friend_discount_minor` integer DEFAULT 0 NOT NULL;