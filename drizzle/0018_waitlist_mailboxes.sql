ALTER TABLE `entries` ADD `mailbox` text;--> statement-breakpoint
ALTER TABLE `entries` ADD `network_hash` text;--> statement-breakpoint
CREATE INDEX `entries_of_mailbox` ON `entries` (`gate`,`mailbox`);--> statement-breakpoint
CREATE INDEX `entries_without_mailbox` ON `entries` (`mailbox`) WHERE "entries"."mailbox" is null;--> statement-breakpoint
CREATE INDEX `entries_of_network` ON `entries` (`referrer_id`,`network_hash`) WHERE "entries"."network_hash" is not null;--> statement-breakpoint
CREATE INDEX `entries_with_network` ON `entries` (`confirmed_at`) WHERE "entries"."network_hash" is not null;--> statement-breakpoint
-- Addresses that were stored with control characters at their end: the canonical form never had them.
UPDATE `accounts` SET `email` = `email_canonical` WHERE instr(CAST(`email` AS blob), x'00') > 0 OR `email` GLOB '*[' || char(1) || '-' || char(31) || ']*';--> statement-breakpoint
UPDATE `entries` SET `email` = `email_canonical` WHERE instr(CAST(`email` AS blob), x'00') > 0 OR `email` GLOB '*[' || char(1) || '-' || char(31) || ']*';
