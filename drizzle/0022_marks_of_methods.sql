ALTER TABLE `customers` ADD `methods_marked_at` integer;--> statement-breakpoint
CREATE INDEX `customers_unmarked` ON `customers` (`created_at`) WHERE "customers"."methods_marked_at" is null;