CREATE INDEX `orders_of_state` ON `orders` (`account_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_of_year` ON `orders` (`account_id`,`number_year`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_of_both` ON `orders` (`account_id`,`state`,`number_year`,`created_at`,`id`);
