CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`fingerprint_hash` text NOT NULL,
	`name` text NOT NULL,
	`platform` text NOT NULL,
	`activated_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`removed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "devices_state" CHECK("devices"."state" in ('active', 'removed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_one_per_fingerprint` ON `devices` (`account_id`,`fingerprint_hash`) WHERE "devices"."state" = 'active';--> statement-breakpoint
CREATE INDEX `devices_of_account` ON `devices` (`account_id`,`state`,`activated_at`);--> statement-breakpoint
CREATE INDEX `devices_old` ON `devices` (`state`,`removed_at`);--> statement-breakpoint
CREATE TABLE `licence_keys` (
	`account_id` text PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`rotated_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `licence_keys_keyHash_unique` ON `licence_keys` (`key_hash`);