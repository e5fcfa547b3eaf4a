CREATE INDEX `codes_of_address` ON `codes` (`address`);--> statement-breakpoint
CREATE INDEX `codes_of_account` ON `codes` (`account_id`) WHERE "codes"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `codes_issued` ON `codes` (`expires_at`) WHERE "codes"."state" = 'issued';--> statement-breakpoint
CREATE INDEX `codes_signed_up` ON `codes` (`created_at`) WHERE "codes"."purpose" = 'sign-up' and "codes"."state" = 'used';--> statement-breakpoint
CREATE INDEX `orders_disputed` ON `orders` (`paid_at`) WHERE "orders"."dispute" in ('needs-response', 'under-review');--> statement-breakpoint
CREATE INDEX `sessions_ending` ON `sessions` (`expires_at`) WHERE "sessions"."state" = 'active';--> statement-breakpoint
CREATE INDEX `sessions_idle` ON `sessions` (`last_used_at`) WHERE "sessions"."state" = 'active';--> statement-breakpoint
CREATE INDEX `subscriptions_past_due` ON `subscriptions` (`past_due_since`) WHERE "subscriptions"."state" = 'past-due-grace';--> statement-breakpoint
-- By hand from here on: what is known of an entry by its id goes with that id, so that nobody has to look for what is left over.
CREATE TRIGGER `entries_forget_touch` AFTER DELETE ON `entries`
BEGIN
	DELETE FROM `referral_touches` WHERE `entry_id` = old.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `entries_begin_untouched` AFTER UPDATE OF `id` ON `entries` WHEN new.`id` <> old.`id`
BEGIN
	DELETE FROM `referral_touches` WHERE `entry_id` = old.`id`;
END;--> statement-breakpoint
DELETE FROM `referral_touches` WHERE `entry_id` NOT IN (SELECT `id` FROM `entries`);
