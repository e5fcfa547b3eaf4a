ALTER TABLE `withdrawals` ADD `declared_by` text DEFAULT 'anyone' NOT NULL;--> statement-breakpoint
ALTER TABLE `withdrawals` ADD `contest_reason` text;