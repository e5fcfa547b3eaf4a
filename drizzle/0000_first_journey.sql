CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`name` text,
	`locale` text NOT NULL,
	`time_zone` text NOT NULL,
	`terms_version` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "accounts_state" CHECK("accounts"."state" in ('active', 'leaving', 'gone'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_emailCanonical_unique` ON `accounts` (`email_canonical`);--> statement-breakpoint
CREATE TABLE `budget_uses` (
	`id` text PRIMARY KEY NOT NULL,
	`budget` text NOT NULL,
	`used_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `budget_uses_within` ON `budget_uses` (`budget`,`used_at`);--> statement-breakpoint
CREATE INDEX `budget_uses_old` ON `budget_uses` (`used_at`);--> statement-breakpoint
CREATE TABLE `codes` (
	`id` text PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`address_typed` text NOT NULL,
	`browser_hash` text NOT NULL,
	`purpose` text NOT NULL,
	`state` text NOT NULL,
	`code_hash` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`carried` text NOT NULL,
	`claim` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	CONSTRAINT "codes_purpose" CHECK("codes"."purpose" in ('sign-up', 'sign-in', 'change-email', 'fresh-proof')),
	CONSTRAINT "codes_state" CHECK("codes"."state" in ('issued', 'used', 'expired', 'exhausted', 'superseded'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `codes_of_browser` ON `codes` (`browser_hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `codes_old` ON `codes` (`created_at`);--> statement-breakpoint
CREATE TABLE `customers` (
	`account_id` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_providerId_unique` ON `customers` (`provider_id`);--> statement-breakpoint
CREATE TABLE `entries` (
	`id` text PRIMARY KEY NOT NULL,
	`gate` text NOT NULL,
	`state` text NOT NULL,
	`review` text DEFAULT 'none' NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`confirm_hash` text NOT NULL,
	`entry_hash` text NOT NULL,
	`share_code` text NOT NULL,
	`referrer_id` text,
	`created_at` integer NOT NULL,
	`confirm_expires_at` integer NOT NULL,
	`confirmed_at` integer,
	`left_at` integer,
	CONSTRAINT "entries_state" CHECK("entries"."state" in ('pending', 'waiting', 'invited', 'joined', 'resting', 'left', 'rejected')),
	CONSTRAINT "entries_review" CHECK("entries"."review" in ('none', 'under-review'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `entries_confirmHash_unique` ON `entries` (`confirm_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `entries_entryHash_unique` ON `entries` (`entry_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `entries_shareCode_unique` ON `entries` (`share_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `entries_one_per_address` ON `entries` (`gate`,`email_canonical`);--> statement-breakpoint
CREATE INDEX `entries_in_line` ON `entries` (`gate`,`state`,`confirmed_at`,`id`);--> statement-breakpoint
CREATE INDEX `entries_of_referrer` ON `entries` (`referrer_id`,`state`);--> statement-breakpoint
CREATE TABLE `known_browsers` (
	`address_hash` text NOT NULL,
	`browser_hash` text NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`address_hash`, `browser_hash`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`template` text NOT NULL,
	`sealed` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`next_try_at` integer,
	`sent_at` integer,
	CONSTRAINT "mails_state" CHECK("mails"."state" in ('queued', 'sent', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`state`,`next_try_at`);--> statement-breakpoint
CREATE TABLE `order_lines` (
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`description` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`period_starts_at` integer,
	`period_ends_at` integer,
	PRIMARY KEY(`order_id`, `position`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `order_moments` (
	`order_id` text NOT NULL,
	`what` text NOT NULL,
	`happened_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `what`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`dispute` text DEFAULT 'none' NOT NULL,
	`kind` text NOT NULL,
	`plan_id` text NOT NULL,
	`interval` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`tax_minor` integer DEFAULT 0 NOT NULL,
	`discount_minor` integer DEFAULT 0 NOT NULL,
	`credit_minor` integer DEFAULT 0 NOT NULL,
	`refunded_minor` integer DEFAULT 0 NOT NULL,
	`number_year` integer,
	`number_in_year` integer,
	`checkout_id` text,
	`checkout_url` text,
	`invoice_id` text,
	`receipt_url` text,
	`failure` text,
	`billed_to` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`paid_at` integer,
	`synced_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_state" CHECK("orders"."state" in ('draft', 'pending', 'processing', 'needs-action', 'paid', 'partially-refunded', 'refunded', 'failed', 'cancelled', 'expired')),
	CONSTRAINT "orders_dispute" CHECK("orders"."dispute" in ('none', 'needs-response', 'under-review', 'won', 'lost')),
	CONSTRAINT "orders_kind" CHECK("orders"."kind" in ('new-plan', 'renewal', 'change')),
	CONSTRAINT "orders_number_when_paid" CHECK(("orders"."number_year" is null) = ("orders"."paid_at" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_checkoutId_unique` ON `orders` (`checkout_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_invoiceId_unique` ON `orders` (`invoice_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number_year`,`number_in_year`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_one_open` ON `orders` (`account_id`) WHERE "orders"."kind" = 'new-plan' and "orders"."state" in ('draft', 'pending', 'processing', 'needs-action', 'failed');--> statement-breakpoint
CREATE INDEX `orders_of_account` ON `orders` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `preferences` (
	`account_id` text PRIMARY KEY NOT NULL,
	`chosen` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `referral_links` (
	`account_id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`visits` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `referral_links_code_unique` ON `referral_links` (`code`);--> statement-breakpoint
CREATE TABLE `referrals` (
	`id` text PRIMARY KEY NOT NULL,
	`referrer_id` text NOT NULL,
	`friend_id` text NOT NULL,
	`state` text NOT NULL,
	`signed_up_at` integer NOT NULL,
	FOREIGN KEY (`referrer_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`friend_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "referrals_state" CHECK("referrals"."state" in ('signed-up', 'qualified', 'waiting', 'approved', 'void', 'under-review')),
	CONSTRAINT "referrals_not_oneself" CHECK("referrals"."referrer_id" <> "referrals"."friend_id")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `referrals_friendId_unique` ON `referrals` (`friend_id`);--> statement-breakpoint
CREATE INDEX `referrals_of_referrer` ON `referrals` (`referrer_id`,`signed_up_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`token_hash` text NOT NULL,
	`device` text NOT NULL,
	`place` text,
	`created_at` integer NOT NULL,
	`proven_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_state" CHECK("sessions"."state" in ('active', 'signed-out', 'revoked', 'expired', 'rotated'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_tokenHash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_of_account` ON `sessions` (`account_id`,`state`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`plan_id` text NOT NULL,
	`interval` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`card_brand` text,
	`card_last4` text,
	`card_expires` text,
	`started_at` integer NOT NULL,
	`period_ends_at` integer NOT NULL,
	`cancels_at` integer,
	`past_due_since` integer,
	`ended_at` integer,
	`synced_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_state" CHECK("subscriptions"."state" in ('active', 'past-due-grace', 'past-due-locked', 'incomplete', 'unpaid', 'paused', 'ended')),
	CONSTRAINT "subscriptions_interval" CHECK("subscriptions"."interval" in ('month', 'year'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_running` ON `subscriptions` (`account_id`) WHERE "subscriptions"."state" not in ('ended', 'incomplete');--> statement-breakpoint
CREATE INDEX `subscriptions_of_account` ON `subscriptions` (`account_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`type` text NOT NULL,
	`customer_id` text,
	`tries` integer DEFAULT 1 NOT NULL,
	`received_at` integer NOT NULL,
	`settled_at` integer,
	CONSTRAINT "webhook_events_state" CHECK("webhook_events"."state" in ('received', 'handled', 'failed', 'ignored'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_events_unsettled` ON `webhook_events` (`state`,`received_at`);--> statement-breakpoint
CREATE TABLE `wrong_streaks` (
	`budget` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`paused_until` integer
) STRICT;
