ALTER TABLE `orders` ADD `unconfirmed_until` integer;--> statement-breakpoint
CREATE INDEX `orders_unconfirmed` ON `orders` (`account_id`) WHERE "orders"."unconfirmed_until" is not null;