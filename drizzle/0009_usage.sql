CREATE TABLE `usage_values` (
	`account_id` text NOT NULL,
	`meter` text NOT NULL,
	`part` text NOT NULL,
	`value` integer NOT NULL,
	`reported_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `meter`, `part`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `usage_values_old` ON `usage_values` (`part`);--> statement-breakpoint
ALTER TABLE `preferences` ADD `changed_by` text;--> statement-breakpoint
ALTER TABLE `preferences` ADD `before_devices` text;