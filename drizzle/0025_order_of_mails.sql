ALTER TABLE `mails` ADD `order_id` text;--> statement-breakpoint
-- Emails from before the column: those about an order are named after it.
UPDATE `mails` SET `order_id` = substr(`id`, 6, instr(substr(`id`, 6), '.') - 1) WHERE `id` > 'mail_ord_' AND `id` < 'mail_ord`' AND instr(`id`, '.') > 0;
