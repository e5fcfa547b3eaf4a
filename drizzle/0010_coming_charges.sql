ALTER TABLE `subscriptions` ADD `collection` text DEFAULT 'automatic' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `coming_minor` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `coming_at` integer;