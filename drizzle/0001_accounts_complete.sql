CREATE TABLE `activities` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`what` text NOT NULL,
	`device` text,
	`place` text,
	`happened_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `activities_of_account` ON `activities` (`account_id`,`happened_at`);--> statement-breakpoint
CREATE TABLE `address_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`from_email` text NOT NULL,
	`from_canonical` text NOT NULL,
	`to_email` text NOT NULL,
	`to_canonical` text NOT NULL,
	`revert_hash` text NOT NULL,
	`changed_at` integer NOT NULL,
	`revert_expires_at` integer NOT NULL,
	`reverted_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "address_changes_state" CHECK("address_changes"."state" in ('changed', 'reverted', 'overtaken'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `address_changes_revertHash_unique` ON `address_changes` (`revert_hash`);--> statement-breakpoint
CREATE INDEX `address_changes_of_account` ON `address_changes` (`account_id`,`changed_at`);--> statement-breakpoint
CREATE INDEX `address_changes_held` ON `address_changes` (`from_canonical`,`revert_expires_at`);--> statement-breakpoint
CREATE INDEX `address_changes_old` ON `address_changes` (`changed_at`);--> statement-breakpoint
CREATE TABLE `former_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`sealed` text NOT NULL,
	`left_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_addresses_of_account` ON `former_addresses` (`account_id`,`left_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`provider` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credentialId_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_of_account` ON `passkeys` (`account_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `tombstones` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`gone_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`challenge_hash` text PRIMARY KEY NOT NULL,
	`claim` text NOT NULL,
	`used_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `used_challenges_old` ON `used_challenges` (`used_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `leaving_until` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `gone_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `mails_off` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_leaving` ON `accounts` (`state`,`leaving_until`);--> statement-breakpoint
ALTER TABLE `codes` ADD `account_id` text;--> statement-breakpoint
ALTER TABLE `codes` ADD `mail_id` text;--> statement-breakpoint
ALTER TABLE `wrong_streaks` ADD `last_wrong_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `wrong_streaks_old` ON `wrong_streaks` (`last_wrong_at`);--> statement-breakpoint
CREATE INDEX `known_browsers_old` ON `known_browsers` (`last_used_at`);--> statement-breakpoint
CREATE INDEX `mails_old` ON `mails` (`created_at`);