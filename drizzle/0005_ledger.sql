CREATE TABLE `ledger_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`why` text NOT NULL,
	`referral_id` text,
	`invoice_id` text,
	`owed_minor` integer DEFAULT 0 NOT NULL,
	`happened_at` integer NOT NULL,
	`expires_at` integer,
	`customer_id` text,
	`provider_id` text,
	`asked_back` text,
	`closed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_lines_kind" CHECK("ledger_lines"."kind" in ('earned', 'applied', 'reversed', 'expired')),
	CONSTRAINT "ledger_lines_earned" CHECK("ledger_lines"."kind" <> 'earned' or "ledger_lines"."amount_minor" > 0),
	CONSTRAINT "ledger_lines_expired" CHECK("ledger_lines"."kind" <> 'expired' or "ledger_lines"."amount_minor" < 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_lines_providerId_unique` ON `ledger_lines` (`provider_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_lines_once_per_referral` ON `ledger_lines` (`referral_id`,`kind`) WHERE "ledger_lines"."referral_id" is not null;--> statement-breakpoint
CREATE INDEX `ledger_lines_of_account` ON `ledger_lines` (`account_id`);--> statement-breakpoint
CREATE INDEX `ledger_lines_to_expire` ON `ledger_lines` (`expires_at`) WHERE "ledger_lines"."expires_at" is not null and "ledger_lines"."closed_at" is null;--> statement-breakpoint
CREATE INDEX `ledger_lines_asked_back` ON `ledger_lines` (`account_id`) WHERE "ledger_lines"."asked_back" is not null and "ledger_lines"."closed_at" is null;--> statement-breakpoint
CREATE INDEX `ledger_lines_unbooked` ON `ledger_lines` (`account_id`) WHERE "ledger_lines"."customer_id" is null;--> statement-breakpoint
CREATE TABLE `referral_touches` (
	`entry_id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`touched_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `customers` ADD `ledger_synced_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_ledger_behind` ON `customers` (`synced_at`) WHERE "customers"."synced_at" > "customers"."ledger_synced_at" and ("customers"."credit_minor" <> 0 or "customers"."ledger_synced_at" > 0);--> statement-breakpoint
ALTER TABLE `referrals` ADD `waits_until` integer;--> statement-breakpoint
ALTER TABLE `referrals` ADD `void_why` text;--> statement-breakpoint
ALTER TABLE `referrals` ADD `cards` text;--> statement-breakpoint
ALTER TABLE `referrals` ADD `decision` text;--> statement-breakpoint
ALTER TABLE `referrals` ADD `approved_at` integer;--> statement-breakpoint
ALTER TABLE `referrals` ADD `void_at` integer;--> statement-breakpoint
CREATE INDEX `referrals_due` ON `referrals` (`state`,`waits_until`);--> statement-breakpoint
CREATE INDEX `orders_by_change` ON `orders` (`updated_at`);