ALTER TABLE `activities` ADD `result` text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE `activities` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `activities` ADD `method` text;--> statement-breakpoint
ALTER TABLE `activities` ADD `network` text;--> statement-breakpoint
CREATE INDEX `activities_by_time` ON `activities` (`happened_at`);