ALTER TABLE `former_addresses` ADD `address_hash` text;--> statement-breakpoint
CREATE INDEX `former_addresses_by_hash` ON `former_addresses` (`address_hash`);--> statement-breakpoint
CREATE INDEX `accounts_named` ON `accounts` (`name`) WHERE "accounts"."name" is not null;--> statement-breakpoint
CREATE INDEX `devices_named` ON `devices` (`name`);