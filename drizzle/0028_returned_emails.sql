ALTER TABLE `mails` ADD `service_id` text;--> statement-breakpoint
ALTER TABLE `mails` ADD `returned` text;--> statement-breakpoint
ALTER TABLE `mails` ADD `returned_at` integer;--> statement-breakpoint
CREATE INDEX `mails_of_service` ON `mails` (`service_id`) WHERE "mails"."service_id" is not null;