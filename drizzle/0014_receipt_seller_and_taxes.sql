ALTER TABLE `orders` ADD `seller` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `taxes` text;