CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"email" text NOT NULL,
	"email_canonical" text NOT NULL,
	"name" text,
	"locale" text NOT NULL,
	"time_zone" text NOT NULL,
	"terms_version" text NOT NULL,
	"created_at" integer NOT NULL,
	"restorable_until" integer,
	"erasure_at" integer,
	"emails_off" text DEFAULT '[]' NOT NULL,
	"mailbox_hashed_at" integer,
	CONSTRAINT "accounts_state" CHECK("accounts"."state" in ('active', 'closed', 'erased'))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_emailCanonical_unique" ON "accounts" ("email_canonical");--> statement-breakpoint
CREATE INDEX "accounts_closed" ON "accounts" ("state", "restorable_until");--> statement-breakpoint
CREATE INDEX "accounts_named" ON "accounts" ("name") WHERE "accounts"."name" is not null;--> statement-breakpoint
CREATE INDEX "accounts_of_domain" ON "accounts" (substr(email_canonical, instr(email_canonical, '@') + 1));--> statement-breakpoint
CREATE INDEX "accounts_unhashed" ON "accounts" ("created_at") WHERE "accounts"."mailbox_hashed_at" is null and "accounts"."state" <> 'erased';--> statement-breakpoint
CREATE TABLE "activities" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"what" text NOT NULL,
	"device" text,
	"country" text,
	"happened_at" integer NOT NULL,
	"result" text DEFAULT 'done' NOT NULL,
	"reason" text,
	"method" text,
	"network" text,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "activities_result" CHECK("activities"."result" in ('done', 'refused')),
	CONSTRAINT "activities_method" CHECK("activities"."method" in ('code', 'passkey', 'session', 'link', 'licence-key', 'device', 'automatic'))
) STRICT;--> statement-breakpoint
CREATE INDEX "activities_of_account" ON "activities" ("account_id", "happened_at");--> statement-breakpoint
CREATE INDEX "activities_by_time" ON "activities" ("happened_at");--> statement-breakpoint
CREATE TABLE "address_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"from_email" text NOT NULL,
	"from_canonical" text NOT NULL,
	"to_email" text NOT NULL,
	"to_canonical" text NOT NULL,
	"revert_hash" text NOT NULL,
	"changed_at" integer NOT NULL,
	"revert_expires_at" integer NOT NULL,
	"reverted_at" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "address_changes_state" CHECK("address_changes"."state" in ('changed', 'reverted', 'overtaken'))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "address_changes_revertHash_unique" ON "address_changes" ("revert_hash");--> statement-breakpoint
CREATE INDEX "address_changes_of_account" ON "address_changes" ("account_id", "changed_at");--> statement-breakpoint
CREATE INDEX "address_changes_held" ON "address_changes" ("from_canonical", "revert_expires_at");--> statement-breakpoint
CREATE INDEX "address_changes_old" ON "address_changes" ("changed_at");--> statement-breakpoint
CREATE TABLE "cancellation_reasons" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"reason" text NOT NULL,
	"comment" text,
	"given_at" integer NOT NULL,
	FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id"),
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "cancellation_reasons_reason" CHECK("cancellation_reasons"."reason" in ('too-expensive', 'unused', 'feature-missing', 'unreliable', 'other-product', 'other'))
) STRICT;--> statement-breakpoint
CREATE INDEX "cancellation_reasons_of_account" ON "cancellation_reasons" ("account_id");--> statement-breakpoint
CREATE INDEX "cancellation_reasons_by_time" ON "cancellation_reasons" ("given_at");--> statement-breakpoint
CREATE TABLE "cancellations" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"order_id" text,
	"state" text NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"name" text NOT NULL,
	"order_typed" text NOT NULL,
	"ends_on" text,
	"address" text NOT NULL,
	"email" text NOT NULL,
	"declared_by" text NOT NULL,
	"declared_at" integer NOT NULL,
	"next_try_at" integer,
	"tries" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"changed_at" integer,
	"closed_at" integer,
	"answer" text,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	FOREIGN KEY ("order_id") REFERENCES "orders"("id"),
	CONSTRAINT "cancellations_state" CHECK("cancellations"."state" in ('unmatched', 'open', 'done', 'undone')),
	CONSTRAINT "cancellations_kind" CHECK("cancellations"."kind" in ('ordinary', 'extraordinary')),
	CONSTRAINT "cancellations_declared_by" CHECK("cancellations"."declared_by" in ('owner', 'anyone'))
) STRICT;--> statement-breakpoint
CREATE INDEX "cancellations_due" ON "cancellations" ("next_try_at") WHERE "cancellations"."next_try_at" is not null;--> statement-breakpoint
CREATE INDEX "cancellations_for_operators" ON "cancellations" ("declared_at", "id") WHERE (("cancellations"."closed_at" is null and ("cancellations"."state" = 'unmatched' or "cancellations"."kind" = 'extraordinary')) or "cancellations"."failure" is not null);--> statement-breakpoint
CREATE INDEX "cancellations_of_account" ON "cancellations" ("account_id", "declared_at");--> statement-breakpoint
CREATE INDEX "cancellations_of_order" ON "cancellations" ("order_id");--> statement-breakpoint
CREATE INDEX "cancellations_of_address" ON "cancellations" ("email");--> statement-breakpoint
CREATE INDEX "cancellations_old" ON "cancellations" ("declared_at");--> statement-breakpoint
CREATE TABLE "codes" (
	"id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"address_typed" text NOT NULL,
	"browser_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"state" text NOT NULL,
	"code_hash" text NOT NULL,
	"wrong_tries" integer DEFAULT 0 NOT NULL,
	"last_wrong_hash" text,
	"carried" text NOT NULL,
	"consumer_id" text,
	"created_at" integer NOT NULL,
	"expires_at" integer NOT NULL,
	"used_at" integer,
	"account_id" text,
	"email_id" text,
	"quotas" text DEFAULT '{}' NOT NULL,
	CONSTRAINT "codes_purpose" CHECK("codes"."purpose" in ('sign-up', 'sign-in', 'change-email', 'reauthentication')),
	CONSTRAINT "codes_state" CHECK("codes"."state" in ('issued', 'used', 'expired', 'exhausted', 'superseded'))
) STRICT;--> statement-breakpoint
CREATE INDEX "codes_of_browser" ON "codes" ("browser_hash", "created_at");--> statement-breakpoint
CREATE INDEX "codes_old" ON "codes" ("created_at");--> statement-breakpoint
CREATE INDEX "codes_of_address" ON "codes" ("address");--> statement-breakpoint
CREATE INDEX "codes_of_account" ON "codes" ("account_id") WHERE "codes"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "codes_issued" ON "codes" ("expires_at") WHERE "codes"."state" = 'issued';--> statement-breakpoint
CREATE INDEX "codes_signed_up" ON "codes" ("created_at") WHERE "codes"."purpose" = 'sign-up' and "codes"."state" = 'used';--> statement-breakpoint
CREATE TABLE "customer_hashes" (
	"hash" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"first_at" integer NOT NULL,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "customer_hashes_kind" CHECK("customer_hashes"."kind" in ('mailbox', 'payment-method'))
) STRICT;--> statement-breakpoint
CREATE INDEX "customer_hashes_of_account" ON "customer_hashes" ("account_id");--> statement-breakpoint
CREATE TABLE "customers" (
	"account_id" text PRIMARY KEY NOT NULL,
	"provider_id" text NOT NULL,
	"created_at" integer NOT NULL,
	"credit_minor" integer DEFAULT 0 NOT NULL,
	"synced_at" integer DEFAULT 0 NOT NULL,
	"asked_at" integer DEFAULT 0 NOT NULL,
	"ledger_synced_at" integer DEFAULT 0 NOT NULL,
	"methods_hashed_at" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "customers_providerId_unique" ON "customers" ("provider_id");--> statement-breakpoint
CREATE INDEX "customers_by_turn" ON "customers" ("asked_at");--> statement-breakpoint
CREATE INDEX "customers_unhashed" ON "customers" ("created_at") WHERE "customers"."methods_hashed_at" is null;--> statement-breakpoint
CREATE INDEX "customers_ledger_behind" ON "customers" ("synced_at") WHERE "customers"."synced_at" > "customers"."ledger_synced_at" and ("customers"."credit_minor" <> 0 or "customers"."ledger_synced_at" > 0);--> statement-breakpoint
CREATE TABLE "deleted_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"erased_at" integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE "devices" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"fingerprint_hash" text NOT NULL,
	"name" text NOT NULL,
	"platform" text NOT NULL,
	"activated_at" integer NOT NULL,
	"last_seen_at" integer NOT NULL,
	"removed_at" integer,
	"given_name" text,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "devices_state" CHECK("devices"."state" in ('active', 'removed'))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "devices_one_per_fingerprint" ON "devices" ("account_id", "fingerprint_hash") WHERE "devices"."state" = 'active';--> statement-breakpoint
CREATE INDEX "devices_of_account" ON "devices" ("account_id", "state", "activated_at");--> statement-breakpoint
CREATE INDEX "devices_old" ON "devices" ("state", "removed_at");--> statement-breakpoint
CREATE INDEX "devices_named" ON "devices" ("name");--> statement-breakpoint
CREATE TABLE "documents" (
	"order_id" text NOT NULL,
	"cause" text NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"number_year" integer NOT NULL,
	"number_in_year" integer NOT NULL,
	"corrects" text,
	"provider_number" text,
	"currency" text NOT NULL,
	"net_minor" integer NOT NULL,
	"tax_minor" integer NOT NULL,
	"total_minor" integer NOT NULL,
	"money_minor" integer NOT NULL,
	"lines" text NOT NULL,
	"taxes" text NOT NULL,
	"steps" text NOT NULL,
	"exemption" text,
	"seller" text NOT NULL,
	"buyer" text NOT NULL,
	"period_starts_at" integer,
	"period_ends_at" integer,
	"issued_at" integer NOT NULL,
	"time_zone" text NOT NULL,
	"buyer_kept_until" integer,
	PRIMARY KEY("order_id", "cause"),
	FOREIGN KEY ("order_id") REFERENCES "orders"("id"),
	CONSTRAINT "documents_kind" CHECK("documents"."kind" in ('invoice', 'credit-note')),
	CONSTRAINT "documents_reason" CHECK("documents"."reason" in ('refund', 'friend-discount', 'dispute-lost', 'credit', 'refund-returned', 'dispute-won')),
	CONSTRAINT "documents_cause" CHECK(("documents"."kind" = 'invoice') = ("documents"."cause" = '')),
	CONSTRAINT "documents_net_and_tax" CHECK("documents"."net_minor" + "documents"."tax_minor" = "documents"."total_minor")
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "documents_number" ON "documents" ("kind", "number_year", "number_in_year");--> statement-breakpoint
CREATE INDEX "documents_by_date" ON "documents" ("issued_at", "order_id", "cause");--> statement-breakpoint
CREATE INDEX "documents_kept_until" ON "documents" ("buyer_kept_until") WHERE "documents"."buyer_kept_until" is not null;--> statement-breakpoint
CREATE TABLE "emails" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"template" text NOT NULL,
	"sealed" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" integer NOT NULL,
	"next_try_at" integer,
	"sent_at" integer,
	"order_id" text,
	"recipient_id" text,
	"refusal" text,
	"service_id" text,
	"returned" text,
	"returned_at" integer,
	"quota_until" integer,
	CONSTRAINT "emails_state" CHECK("emails"."state" in ('queued', 'sent', 'failed')),
	CONSTRAINT "emails_refusal" CHECK("emails"."refusal" in ('email-down', 'quota-exhausted', 'address-refused')),
	CONSTRAINT "emails_returned" CHECK("emails"."returned" in ('bounced', 'complained'))
) STRICT;--> statement-breakpoint
CREATE INDEX "emails_due" ON "emails" ("state", "next_try_at");--> statement-breakpoint
CREATE INDEX "emails_old" ON "emails" ("created_at");--> statement-breakpoint
CREATE INDEX "emails_due_codes" ON "emails" ("next_try_at") WHERE "emails"."state" = 'queued' and "emails"."template" in ('code', 'has-account');--> statement-breakpoint
CREATE INDEX "emails_of_service" ON "emails" ("service_id") WHERE "emails"."service_id" is not null;--> statement-breakpoint
CREATE INDEX "emails_of_recipient" ON "emails" ("recipient_id", "created_at");--> statement-breakpoint
CREATE TABLE "entries" (
	"id" text PRIMARY KEY NOT NULL,
	"gate" text NOT NULL,
	"state" text NOT NULL,
	"review" text DEFAULT 'none' NOT NULL,
	"email" text NOT NULL,
	"email_canonical" text NOT NULL,
	"confirm_hash" text NOT NULL,
	"entry_hash" text NOT NULL,
	"share_code" text NOT NULL,
	"referrer_entry_id" text,
	"created_at" integer NOT NULL,
	"confirm_expires_at" integer NOT NULL,
	"confirmed_at" integer,
	"left_at" integer,
	"number" integer,
	"sort_number" integer,
	"friends" integer DEFAULT 0 NOT NULL,
	"gift" integer DEFAULT 0 NOT NULL,
	"invitations" integer DEFAULT 0 NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL,
	"looks" text,
	"invited_at" integer,
	"invitation_expires_at" integer,
	"reminded_at" integer,
	"accepted_at" integer,
	"joined_at" integer,
	"told_at" integer,
	"mailbox" text,
	"network_hash" text,
	"returned" text,
	CONSTRAINT "entries_state" CHECK("entries"."state" in ('pending', 'waiting', 'invited', 'joined', 'resting', 'left', 'rejected')),
	CONSTRAINT "entries_review" CHECK("entries"."review" in ('none', 'under-review')),
	CONSTRAINT "entries_returned" CHECK("entries"."returned" in ('bounced', 'complained', 'unsubscribed'))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "entries_confirmHash_unique" ON "entries" ("confirm_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "entries_entryHash_unique" ON "entries" ("entry_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "entries_shareCode_unique" ON "entries" ("share_code");--> statement-breakpoint
CREATE UNIQUE INDEX "entries_one_per_address" ON "entries" ("gate", "email_canonical");--> statement-breakpoint
CREATE UNIQUE INDEX "entries_number" ON "entries" ("gate", "number");--> statement-breakpoint
CREATE INDEX "entries_in_queue" ON "entries" ("gate", "state", "sort_number", "number");--> statement-breakpoint
CREATE INDEX "entries_by_number" ON "entries" ("gate", "state", "number");--> statement-breakpoint
CREATE INDEX "entries_unconfirmed" ON "entries" ("confirm_expires_at") WHERE "entries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "entries_invited" ON "entries" ("gate", "invitation_expires_at") WHERE "entries"."state" = 'invited';--> statement-breakpoint
CREATE INDEX "entries_untold" ON "entries" ("state", "gate") WHERE "entries"."told_at" is null;--> statement-breakpoint
CREATE INDEX "entries_under_review" ON "entries" ("gate", "number") WHERE "entries"."review" = 'under-review';--> statement-breakpoint
CREATE INDEX "entries_of_address" ON "entries" ("email_canonical");--> statement-breakpoint
CREATE INDEX "entries_of_mailbox" ON "entries" ("gate", "mailbox");--> statement-breakpoint
CREATE INDEX "entries_without_mailbox" ON "entries" ("mailbox") WHERE "entries"."mailbox" is null;--> statement-breakpoint
CREATE INDEX "entries_of_network" ON "entries" ("referrer_entry_id", "network_hash") WHERE "entries"."network_hash" is not null;--> statement-breakpoint
CREATE INDEX "entries_with_network" ON "entries" ("confirmed_at") WHERE "entries"."network_hash" is not null;--> statement-breakpoint
CREATE INDEX "entries_left" ON "entries" ("left_at") WHERE "entries"."state" = 'left';--> statement-breakpoint
CREATE TABLE "former_addresses" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"sealed" text NOT NULL,
	"left_at" integer NOT NULL,
	"address_hash" text,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE INDEX "former_addresses_of_account" ON "former_addresses" ("account_id", "left_at");--> statement-breakpoint
CREATE INDEX "former_addresses_by_hash" ON "former_addresses" ("address_hash");--> statement-breakpoint
CREATE TABLE "fraud_warnings" (
	"event_id" text PRIMARY KEY NOT NULL,
	"invoice_id" text,
	"payment_id" text NOT NULL,
	"fraud_type" text,
	"warned_at" integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE INDEX "fraud_warnings_by_time" ON "fraud_warnings" ("warned_at");--> statement-breakpoint
CREATE INDEX "fraud_warnings_of_invoice" ON "fraud_warnings" ("invoice_id");--> statement-breakpoint
CREATE TABLE "friend_discounts" (
	"referral_id" text PRIMARY KEY NOT NULL,
	"friend_id" text NOT NULL,
	"order_id" text NOT NULL,
	"state" text NOT NULL,
	"why" text,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"mailbox_hash" text,
	"method_hash" text,
	"domain_hash" text,
	"decision" text,
	"refund_id" text,
	"created_at" integer NOT NULL,
	"decided_at" integer,
	"paid_at" integer,
	FOREIGN KEY ("referral_id") REFERENCES "referrals"("id"),
	FOREIGN KEY ("friend_id") REFERENCES "accounts"("id"),
	FOREIGN KEY ("order_id") REFERENCES "orders"("id"),
	CONSTRAINT "friend_discounts_state" CHECK("friend_discounts"."state" in ('under-review', 'due', 'paid', 'refused')),
	CONSTRAINT "friend_discounts_why" CHECK("friend_discounts"."why" in ('payment-method', 'domain', 'provider', 'known-mailbox', 'known-method', 'operator', 'money-back', 'account-erased')),
	CONSTRAINT "friend_discounts_amount" CHECK("friend_discounts"."amount_minor" >= 0)
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "friend_discounts_orderId_unique" ON "friend_discounts" ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "friend_discounts_mailboxHash_unique" ON "friend_discounts" ("mailbox_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "friend_discounts_methodHash_unique" ON "friend_discounts" ("method_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "friend_discounts_refundId_unique" ON "friend_discounts" ("refund_id");--> statement-breakpoint
CREATE INDEX "friend_discounts_of_friend" ON "friend_discounts" ("friend_id");--> statement-breakpoint
CREATE INDEX "friend_discounts_of_domain" ON "friend_discounts" ("domain_hash") WHERE "friend_discounts"."domain_hash" is not null;--> statement-breakpoint
CREATE INDEX "friend_discounts_by_state" ON "friend_discounts" ("state", "created_at");--> statement-breakpoint
CREATE TABLE "history_events" (
	"order_id" text NOT NULL,
	"what" text NOT NULL,
	"occurrence" text DEFAULT '' NOT NULL,
	"amount_minor" integer,
	"happened_at" integer NOT NULL,
	PRIMARY KEY("order_id", "what", "occurrence"),
	FOREIGN KEY ("order_id") REFERENCES "orders"("id"),
	CONSTRAINT "history_events_what" CHECK("history_events"."what" in ('draft', 'pending', 'processing', 'needs-action', 'paid', 'partially-refunded', 'refunded', 'failed', 'cancelled', 'expired', 'refund', 'friend-discount', 'refund-failed', 'dispute', 'dispute-won', 'dispute-lost', 'mismatch', 'emailed', 'withdrawal'))
) STRICT;--> statement-breakpoint
CREATE TABLE "job_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"cursor" text NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE "known_browsers" (
	"address_hash" text NOT NULL,
	"browser_hash" text NOT NULL,
	"last_used_at" integer NOT NULL,
	PRIMARY KEY("address_hash", "browser_hash")
) STRICT;--> statement-breakpoint
CREATE INDEX "known_browsers_old" ON "known_browsers" ("last_used_at");--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"why" text NOT NULL,
	"referral_id" text,
	"invoice_id" text,
	"owed_minor" integer DEFAULT 0 NOT NULL,
	"happened_at" integer NOT NULL,
	"expires_at" integer,
	"customer_id" text,
	"provider_id" text,
	"asked_back" text,
	"closed_at" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "ledger_lines_kind" CHECK("ledger_lines"."kind" in ('earned', 'applied', 'reversed', 'expired')),
	CONSTRAINT "ledger_lines_why" CHECK("ledger_lines"."why" in ('friend', 'left-over', 'given', 'order', 'order-void', 'debt', 'refund', 'dispute', 'same-card', 'made-up', 'order-refunded', 'taken', 'used-first', 'term', 'account-erased')),
	CONSTRAINT "ledger_lines_asked_back" CHECK("ledger_lines"."asked_back" in ('friend', 'left-over', 'given', 'order', 'order-void', 'debt', 'refund', 'dispute', 'same-card', 'made-up', 'order-refunded', 'taken', 'used-first', 'term', 'account-erased')),
	CONSTRAINT "ledger_lines_earned" CHECK("ledger_lines"."kind" <> 'earned' or "ledger_lines"."amount_minor" > 0),
	CONSTRAINT "ledger_lines_expired" CHECK("ledger_lines"."kind" <> 'expired' or "ledger_lines"."amount_minor" < 0)
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_lines_providerId_unique" ON "ledger_lines" ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_lines_once_per_referral" ON "ledger_lines" ("referral_id", "kind") WHERE "ledger_lines"."referral_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_lines_of_account" ON "ledger_lines" ("account_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_to_expire" ON "ledger_lines" ("expires_at") WHERE "ledger_lines"."expires_at" is not null and "ledger_lines"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_lines_asked_back" ON "ledger_lines" ("account_id") WHERE "ledger_lines"."asked_back" is not null and "ledger_lines"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_lines_unposted" ON "ledger_lines" ("account_id") WHERE "ledger_lines"."customer_id" is null;--> statement-breakpoint
CREATE TABLE "licence_keys" (
	"account_id" text PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" integer NOT NULL,
	"rotated_at" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "licence_keys_keyHash_unique" ON "licence_keys" ("key_hash");--> statement-breakpoint
CREATE TABLE "operator_log" (
	"id" text PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	"outcome" text NOT NULL,
	"call" text NOT NULL,
	"subject" text,
	"reason" text,
	"refusal" text,
	"began_at" integer NOT NULL,
	CONSTRAINT "operator_log_outcome" CHECK("operator_log"."outcome" in ('began', 'done', 'refused', 'broken'))
) STRICT;--> statement-breakpoint
CREATE INDEX "operator_log_newest" ON "operator_log" ("began_at");--> statement-breakpoint
CREATE TABLE "order_lines" (
	"order_id" text NOT NULL,
	"position" integer NOT NULL,
	"description" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"period_starts_at" integer,
	"period_ends_at" integer,
	PRIMARY KEY("order_id", "position"),
	FOREIGN KEY ("order_id") REFERENCES "orders"("id")
) STRICT;--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"dispute" text DEFAULT 'none' NOT NULL,
	"kind" text NOT NULL,
	"plan_id" text NOT NULL,
	"interval" text NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"tax_minor" integer DEFAULT 0 NOT NULL,
	"discount_minor" integer DEFAULT 0 NOT NULL,
	"credit_minor" integer DEFAULT 0 NOT NULL,
	"credit_returned_minor" integer DEFAULT 0 NOT NULL,
	"refunded_minor" integer DEFAULT 0 NOT NULL,
	"number_year" integer,
	"number_in_year" integer,
	"checkout_id" text,
	"checkout_url" text,
	"invoice_id" text,
	"receipt_url" text,
	"failure" text,
	"created_at" integer NOT NULL,
	"expires_at" integer,
	"paid_at" integer,
	"buyer_time_zone" text,
	"synced_at" integer,
	"updated_at" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" integer,
	"proration_at" integer,
	"friend_discount_minor" integer DEFAULT 0 NOT NULL,
	"dispute_due_at" integer,
	"unconfirmed_until" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "orders_state" CHECK("orders"."state" in ('draft', 'pending', 'processing', 'needs-action', 'paid', 'partially-refunded', 'refunded', 'failed', 'cancelled', 'expired')),
	CONSTRAINT "orders_dispute" CHECK("orders"."dispute" in ('none', 'needs-response', 'under-review', 'won', 'lost')),
	CONSTRAINT "orders_kind" CHECK("orders"."kind" in ('new-plan', 'renewal', 'change')),
	CONSTRAINT "orders_interval" CHECK("orders"."interval" in ('month', 'year')),
	CONSTRAINT "orders_failure" CHECK("orders"."failure" in ('declined', 'no-funds', 'card-details', 'authentication', 'other', 'mismatch-kept', 'mismatch-refunded')),
	CONSTRAINT "orders_number_when_paid" CHECK(("orders"."number_year" is null) = ("orders"."paid_at" is null))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_checkoutId_unique" ON "orders" ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_invoiceId_unique" ON "orders" ("invoice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number" ON "orders" ("number_year", "number_in_year");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_one_open" ON "orders" ("account_id") WHERE "orders"."kind" <> 'renewal' and "orders"."state" in ('draft', 'pending', 'processing', 'needs-action', 'failed');--> statement-breakpoint
CREATE INDEX "orders_of_account" ON "orders" ("account_id", "created_at", "id");--> statement-breakpoint
CREATE INDEX "orders_of_state" ON "orders" ("account_id", "state", "created_at", "id");--> statement-breakpoint
CREATE INDEX "orders_of_year" ON "orders" ("account_id", "number_year", "created_at", "id");--> statement-breakpoint
CREATE INDEX "orders_of_both" ON "orders" ("account_id", "state", "number_year", "created_at", "id");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" ("state", "created_at");--> statement-breakpoint
CREATE INDEX "orders_by_change" ON "orders" ("updated_at");--> statement-breakpoint
CREATE INDEX "orders_unconfirmed" ON "orders" ("account_id") WHERE "orders"."unconfirmed_until" is not null;--> statement-breakpoint
CREATE INDEX "orders_mismatched" ON "orders" ("paid_at") WHERE "orders"."failure" in ('mismatch-kept', 'mismatch-refunded');--> statement-breakpoint
CREATE INDEX "orders_disputed" ON "orders" ("paid_at") WHERE "orders"."dispute" in ('needs-response', 'under-review');--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" integer NOT NULL,
	"transports" text NOT NULL,
	"name" text NOT NULL,
	"provider" text,
	"created_at" integer NOT NULL,
	"last_used_at" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credentialId_unique" ON "passkeys" ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_of_account" ON "passkeys" ("account_id", "created_at");--> statement-breakpoint
CREATE TABLE "preferences" (
	"account_id" text PRIMARY KEY NOT NULL,
	"chosen" text NOT NULL,
	"version" integer NOT NULL,
	"updated_at" integer NOT NULL,
	"changed_by" text,
	"before_devices" text,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE TABLE "queue_counts" (
	"gate" text NOT NULL,
	"level" integer NOT NULL,
	"bucket" integer NOT NULL,
	"waiting" integer NOT NULL,
	PRIMARY KEY("gate", "level", "bucket"),
	CONSTRAINT "queue_counts_waiting" CHECK("queue_counts"."waiting" >= 0)
) STRICT;--> statement-breakpoint
CREATE TABLE "quota_uses" (
	"id" text PRIMARY KEY NOT NULL,
	"quota" text NOT NULL,
	"used_at" integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE INDEX "quota_uses_within" ON "quota_uses" ("quota", "used_at");--> statement-breakpoint
CREATE INDEX "quota_uses_old" ON "quota_uses" ("used_at");--> statement-breakpoint
CREATE TABLE "referral_links" (
	"account_id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"visits" integer DEFAULT 0 NOT NULL,
	"created_at" integer NOT NULL,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "referral_links_code_unique" ON "referral_links" ("code");--> statement-breakpoint
CREATE TABLE "referral_touches" (
	"entry_id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"touched_at" integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE TABLE "referrals" (
	"id" text PRIMARY KEY NOT NULL,
	"referrer_id" text NOT NULL,
	"friend_id" text NOT NULL,
	"state" text NOT NULL,
	"signed_up_at" integer NOT NULL,
	"waits_until" integer,
	"void_why" text,
	"cards" text,
	"decision" text,
	"approved_at" integer,
	"void_at" integer,
	FOREIGN KEY ("referrer_id") REFERENCES "accounts"("id"),
	FOREIGN KEY ("friend_id") REFERENCES "accounts"("id"),
	CONSTRAINT "referrals_state" CHECK("referrals"."state" in ('signed-up', 'qualified', 'waiting', 'approved', 'void', 'under-review')),
	CONSTRAINT "referrals_void_why" CHECK("referrals"."void_why" in ('self', 'circle', 'returned', 'same-card', 'refund', 'dispute', 'cap', 'review', 'account-erased')),
	CONSTRAINT "referrals_not_oneself" CHECK("referrals"."referrer_id" <> "referrals"."friend_id")
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "referrals_friendId_unique" ON "referrals" ("friend_id");--> statement-breakpoint
CREATE INDEX "referrals_of_referrer" ON "referrals" ("referrer_id", "signed_up_at");--> statement-breakpoint
CREATE INDEX "referrals_due" ON "referrals" ("state", "waits_until");--> statement-breakpoint
CREATE TABLE "seat_reductions" (
	"account_id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"seats" integer,
	"announced_at" integer,
	"releases_at" integer,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "seat_reductions_state" CHECK("seat_reductions"."state" in ('due', 'announced')),
	CONSTRAINT "seat_reductions_announced" CHECK("seat_reductions"."state" = 'due' or "seat_reductions"."releases_at" is not null)
) STRICT;--> statement-breakpoint
CREATE INDEX "seat_reductions_by_state" ON "seat_reductions" ("state", "releases_at");--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"token_hash" text NOT NULL,
	"device" text NOT NULL,
	"country" text,
	"created_at" integer NOT NULL,
	"proven_at" integer NOT NULL,
	"last_used_at" integer NOT NULL,
	"expires_at" integer NOT NULL,
	"ended_at" integer,
	"method" text,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "sessions_state" CHECK("sessions"."state" in ('active', 'signed-out', 'revoked', 'expired', 'rotated')),
	CONSTRAINT "sessions_method" CHECK("sessions"."method" in ('code', 'passkey'))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_tokenHash_unique" ON "sessions" ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_of_account" ON "sessions" ("account_id", "state");--> statement-breakpoint
CREATE INDEX "sessions_ending" ON "sessions" ("expires_at") WHERE "sessions"."state" = 'active';--> statement-breakpoint
CREATE INDEX "sessions_ended" ON "sessions" ("expires_at") WHERE "sessions"."state" <> 'active';--> statement-breakpoint
CREATE INDEX "sessions_idle" ON "sessions" ("last_used_at") WHERE "sessions"."state" = 'active';--> statement-breakpoint
CREATE TABLE "sold_plans" (
	"plan_id" text PRIMARY KEY NOT NULL,
	"plan" text,
	"missing_since" integer
) STRICT;--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"plan_id" text NOT NULL,
	"interval" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"card_brand" text,
	"card_last4" text,
	"card_expires" text,
	"started_at" integer NOT NULL,
	"period_ends_at" integer NOT NULL,
	"cancels_at" integer,
	"ends_by_notice" integer DEFAULT 0 NOT NULL,
	"past_due_since" integer,
	"ended_at" integer,
	"synced_at" integer NOT NULL,
	"pending_plan_id" text,
	"pending_interval" text,
	"pending_at" integer,
	"pending_minor" integer,
	"collection" text DEFAULT 'automatic' NOT NULL,
	"coming_minor" integer,
	"coming_at" integer,
	"renewal_minor" integer,
	"trial_ends_at" integer,
	"pause_cause" text,
	"end_cause" text,
	"refund_owed_minor" integer DEFAULT 0 NOT NULL,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "subscriptions_state" CHECK("subscriptions"."state" in ('active', 'past-due-grace', 'past-due-locked', 'incomplete', 'unpaid', 'paused', 'ended')),
	CONSTRAINT "subscriptions_interval" CHECK("subscriptions"."interval" in ('month', 'year')),
	CONSTRAINT "subscriptions_pending_interval" CHECK("subscriptions"."pending_interval" in ('month', 'year')),
	CONSTRAINT "subscriptions_collection" CHECK("subscriptions"."collection" in ('automatic', 'on-hold')),
	CONSTRAINT "subscriptions_pause_cause" CHECK("subscriptions"."pause_cause" in ('requested', 'trial-ended', 'first-payment-failed', 'final-payment-failed', 'disputed', 'system')),
	CONSTRAINT "subscriptions_end_cause" CHECK("subscriptions"."end_cause" in ('payment-failed', 'duplicate'))
) STRICT;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_one_running" ON "subscriptions" ("account_id") WHERE "subscriptions"."state" not in ('ended', 'incomplete');--> statement-breakpoint
CREATE INDEX "subscriptions_to_review" ON "subscriptions" ("ended_at", "id") WHERE ("subscriptions"."pause_cause" is not null or "subscriptions"."end_cause" is not null);--> statement-breakpoint
CREATE INDEX "subscriptions_of_account" ON "subscriptions" ("account_id", "started_at");--> statement-breakpoint
CREATE INDEX "subscriptions_by_state" ON "subscriptions" ("state", "period_ends_at");--> statement-breakpoint
CREATE INDEX "subscriptions_by_next_happening" ON "subscriptions" (min(period_ends_at, coalesce(pending_at, period_ends_at), coalesce(coming_at, period_ends_at))) WHERE "subscriptions"."state" not in ('ended', 'incomplete');--> statement-breakpoint
CREATE INDEX "subscriptions_of_plan" ON "subscriptions" ("plan_id") WHERE "subscriptions"."state" not in ('ended', 'incomplete');--> statement-breakpoint
CREATE INDEX "subscriptions_past_due" ON "subscriptions" ("past_due_since") WHERE "subscriptions"."state" = 'past-due-grace';--> statement-breakpoint
CREATE TABLE "unclaimed_customers" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"plan_id" text NOT NULL,
	"reason" text NOT NULL,
	"account_id" text,
	"found_at" integer NOT NULL,
	"looked_at" integer NOT NULL,
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
	CONSTRAINT "unclaimed_customers_reason" CHECK("unclaimed_customers"."reason" in ('no-account', 'account-closed', 'other-customer', 'other-shop'))
) STRICT;--> statement-breakpoint
CREATE INDEX "unclaimed_customers_by_turn" ON "unclaimed_customers" ("looked_at");--> statement-breakpoint
CREATE INDEX "unclaimed_customers_by_time" ON "unclaimed_customers" ("found_at", "provider_id");--> statement-breakpoint
CREATE INDEX "unclaimed_customers_by_account" ON "unclaimed_customers" ("account_id");--> statement-breakpoint
CREATE TABLE "usage_values" (
	"account_id" text NOT NULL,
	"meter" text NOT NULL,
	"part" text NOT NULL,
	"value" integer NOT NULL,
	"reported_at" integer NOT NULL,
	PRIMARY KEY("account_id", "meter", "part"),
	FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
) STRICT;--> statement-breakpoint
CREATE INDEX "usage_values_old" ON "usage_values" ("part");--> statement-breakpoint
CREATE TABLE "used_challenges" (
	"challenge_hash" text PRIMARY KEY NOT NULL,
	"consumer_id" text NOT NULL,
	"used_at" integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE INDEX "used_challenges_old" ON "used_challenges" ("used_at");--> statement-breakpoint
CREATE TABLE "waiting_emails" (
	"email_id" text PRIMARY KEY NOT NULL,
	"quotas" text NOT NULL,
	"try_at" integer NOT NULL
) STRICT;--> statement-breakpoint
CREATE INDEX "waiting_emails_due" ON "waiting_emails" ("try_at");--> statement-breakpoint
CREATE TABLE "waves" (
	"id" text PRIMARY KEY NOT NULL,
	"gate" text NOT NULL,
	"trigger" text NOT NULL,
	"day" text NOT NULL,
	"size" integer NOT NULL,
	"started_at" integer NOT NULL,
	CONSTRAINT "waves_trigger" CHECK("waves"."trigger" in ('clock', 'operator'))
) STRICT;--> statement-breakpoint
CREATE INDEX "waves_of_day" ON "waves" ("gate", "trigger", "day");--> statement-breakpoint
CREATE INDEX "waves_old" ON "waves" ("started_at");--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"type" text NOT NULL,
	"customer_id" text,
	"tries" integer DEFAULT 1 NOT NULL,
	"received_at" integer NOT NULL,
	"settled_at" integer,
	"payment_id" text,
	"names_plan" integer DEFAULT 0 NOT NULL,
	"failure" text,
	CONSTRAINT "webhook_events_state" CHECK("webhook_events"."state" in ('received', 'handled', 'failed', 'ignored'))
) STRICT;--> statement-breakpoint
CREATE INDEX "webhook_events_unsettled" ON "webhook_events" ("state", "received_at");--> statement-breakpoint
CREATE INDEX "webhook_events_fraud_warnings" ON "webhook_events" ("received_at") WHERE "webhook_events"."type" = 'radar.early_fraud_warning.created';--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text,
	"state" text NOT NULL,
	"name" text NOT NULL,
	"order_typed" text NOT NULL,
	"email" text NOT NULL,
	"declared_at" integer NOT NULL,
	"acknowledged_at" integer,
	"closed_at" integer,
	"declared_by" text DEFAULT 'anyone' NOT NULL,
	"contest_reason" text,
	"time_zone" text,
	FOREIGN KEY ("order_id") REFERENCES "orders"("id"),
	CONSTRAINT "withdrawals_state" CHECK("withdrawals"."state" in ('declared', 'acknowledged', 'refunded', 'contested')),
	CONSTRAINT "withdrawals_declared_by" CHECK("withdrawals"."declared_by" in ('owner', 'mailbox', 'anyone'))
) STRICT;--> statement-breakpoint
CREATE INDEX "withdrawals_by_state" ON "withdrawals" ("state", "declared_at");--> statement-breakpoint
CREATE INDEX "withdrawals_of_order" ON "withdrawals" ("order_id");--> statement-breakpoint
CREATE INDEX "withdrawals_of_address" ON "withdrawals" ("email");--> statement-breakpoint
CREATE TABLE "wrong_streaks" (
	"quota" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"paused_until" integer,
	"last_wrong_at" integer DEFAULT 0 NOT NULL
) STRICT;--> statement-breakpoint
CREATE INDEX "wrong_streaks_old" ON "wrong_streaks" ("last_wrong_at");--> statement-breakpoint
CREATE TRIGGER "documents_fixed" BEFORE UPDATE OF "order_id", "cause", "kind", "reason", "number_year", "number_in_year", "corrects", "provider_number", "currency", "net_minor", "tax_minor", "total_minor", "money_minor", "lines", "taxes", "steps", "exemption", "seller", "period_starts_at", "period_ends_at", "issued_at", "time_zone" ON "documents"
BEGIN
	SELECT RAISE(ABORT, 'An issued document never changes.');
END;--> statement-breakpoint
CREATE TRIGGER "documents_buyer_erased" BEFORE UPDATE OF "buyer", "buyer_kept_until" ON "documents"
WHEN NOT (new."buyer" IS json_object('name', null, 'address', json_array(), 'country', json_extract(old."buyer", '$.country'),
		'vatIds', iif(exists (select 1 from json_each(old."taxes") where value ->> '$.isReverseCharge'), json(json_extract(old."buyer", '$.vatIds')), json_array()), 'paidBy', null)
		AND new."buyer_kept_until" IS unixepoch(printf('%04d-01-02', old."number_year" + 11)) * 1000)
	AND NOT (new."buyer" IS '{"name":null,"address":[],"country":null,"vatIds":[],"paidBy":null}' AND new."buyer_kept_until" IS NULL AND old."buyer_kept_until" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'An issued document never changes, except by an erasure.');
END;--> statement-breakpoint
CREATE TRIGGER "documents_once" BEFORE INSERT ON "documents"
WHEN EXISTS (SELECT 1 FROM "documents" WHERE "order_id" = new."order_id" AND "cause" = new."cause")
	OR EXISTS (SELECT 1 FROM "documents" WHERE "kind" = new."kind" AND "number_year" = new."number_year"
		AND "number_in_year" = new."number_in_year")
BEGIN
	SELECT RAISE(ABORT, 'An issued document is never replaced.');
END;--> statement-breakpoint
CREATE TRIGGER "documents_kept" BEFORE DELETE ON "documents"
BEGIN
	SELECT RAISE(ABORT, 'An issued document is never deleted.');
END;--> statement-breakpoint
CREATE TRIGGER "seat_reductions_plan_began" AFTER INSERT ON "subscriptions" WHEN EXISTS (SELECT 1 FROM "devices" WHERE "account_id" = new."account_id" AND "state" = 'active')
BEGIN
	INSERT INTO "seat_reductions" ("account_id", "state") SELECT new."account_id", 'due'
		WHERE NOT EXISTS (SELECT 1 FROM "seat_reductions" WHERE "account_id" = new."account_id");
	UPDATE "seat_reductions" SET "state" = 'due' WHERE "account_id" = new."account_id";
END;--> statement-breakpoint
CREATE TRIGGER "seat_reductions_plan_changed" AFTER UPDATE OF "state", "plan_id" ON "subscriptions"
WHEN (new."state" <> old."state" OR new."plan_id" <> old."plan_id") AND EXISTS (SELECT 1 FROM "devices" WHERE "account_id" = new."account_id" AND "state" = 'active')
BEGIN
	INSERT INTO "seat_reductions" ("account_id", "state") SELECT new."account_id", 'due'
		WHERE NOT EXISTS (SELECT 1 FROM "seat_reductions" WHERE "account_id" = new."account_id");
	UPDATE "seat_reductions" SET "state" = 'due' WHERE "account_id" = new."account_id";
END;--> statement-breakpoint
CREATE TRIGGER "entries_inserted" AFTER INSERT ON "entries" WHEN new."state" <> 'pending'
BEGIN
	UPDATE "entries" SET "state" = new."state" WHERE "id" = new."id";
END;--> statement-breakpoint
CREATE TRIGGER "entries_get_number" AFTER UPDATE OF "state" ON "entries" WHEN new."state" = 'waiting' AND new."number" IS NULL
BEGIN
	UPDATE "entries" SET ("number", "sort_number") = (
		SELECT next."number", next."number"
		FROM (SELECT coalesce(max("number"), 0) + 1 AS "number" FROM "entries" WHERE "gate" = new."gate") AS next
	) WHERE "id" = new."id";
END;--> statement-breakpoint
CREATE TRIGGER "entries_count_in" AFTER UPDATE OF "state", "sort_number" ON "entries"
WHEN new."state" = 'waiting' AND new."sort_number" IS NOT NULL
	AND (old."state" <> 'waiting' OR old."sort_number" IS NOT new."sort_number")
BEGIN
	INSERT INTO "queue_counts" ("gate", "level", "bucket", "waiting") VALUES
		(new."gate", 5, new."sort_number" >> 5, 1),
		(new."gate", 10, new."sort_number" >> 10, 1),
		(new."gate", 15, new."sort_number" >> 15, 1),
		(new."gate", 20, new."sort_number" >> 20, 1)
	ON CONFLICT DO UPDATE SET "waiting" = "waiting" + 1;
END;--> statement-breakpoint
CREATE TRIGGER "entries_count_out" AFTER UPDATE OF "state", "sort_number" ON "entries"
WHEN old."state" = 'waiting' AND old."sort_number" IS NOT NULL
	AND (new."state" <> 'waiting' OR new."sort_number" IS NOT old."sort_number")
BEGIN
	UPDATE "queue_counts" SET "waiting" = "waiting" - 1 WHERE "gate" = old."gate" AND ("level", "bucket") IN (
		VALUES (5, old."sort_number" >> 5), (10, old."sort_number" >> 10), (15, old."sort_number" >> 15), (20, old."sort_number" >> 20));
END;--> statement-breakpoint
CREATE TRIGGER "entries_deleted" AFTER DELETE ON "entries" WHEN old."state" = 'waiting' AND old."sort_number" IS NOT NULL
BEGIN
	UPDATE "queue_counts" SET "waiting" = "waiting" - 1 WHERE "gate" = old."gate" AND ("level", "bucket") IN (
		VALUES (5, old."sort_number" >> 5), (10, old."sort_number" >> 10), (15, old."sort_number" >> 15), (20, old."sort_number" >> 20));
END;--> statement-breakpoint
CREATE TRIGGER "entries_move_referrer" AFTER UPDATE OF "state", "review" ON "entries"
WHEN new."referrer_entry_id" IS NOT NULL AND new."gift" = 0 AND new."state" IN ('waiting', 'invited', 'joined', 'resting') AND new."review" = 'none'
BEGIN
	UPDATE "entries" SET "gift" = coalesce((
		SELECT moved."sort_number" - coalesce(
			(
				SELECT ahead."number" FROM "entries" AS ahead
				WHERE ahead."gate" = moved."gate" AND ahead."state" = 'waiting' AND ahead."number" < moved."sort_number"
				ORDER BY ahead."number" DESC LIMIT 1 OFFSET 4
			), (
				SELECT coalesce(min(ahead."number"), moved."sort_number") - 5 + count(*) FROM "entries" AS ahead
				WHERE ahead."gate" = moved."gate" AND ahead."state" = 'waiting' AND ahead."number" < moved."sort_number"
			)
		)
		FROM "entries" AS moved WHERE moved."id" = new."referrer_entry_id" AND moved."gate" = new."gate"
	), 0) WHERE "id" = new."id";
	UPDATE "entries"
	SET "friends" = "friends" + 1, "sort_number" = "sort_number" - (SELECT "gift" FROM "entries" WHERE "id" = new."id")
	WHERE "id" = new."referrer_entry_id" AND "gate" = new."gate" AND "sort_number" IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER "entries_move_referrer_back" AFTER UPDATE OF "state", "review" ON "entries"
WHEN old."gift" > 0 AND NOT (new."state" IN ('waiting', 'invited', 'joined', 'resting') AND new."review" = 'none')
BEGIN
	UPDATE "entries" SET "friends" = "friends" - 1, "sort_number" = "sort_number" + old."gift"
	WHERE "id" = old."referrer_entry_id" AND "gate" = old."gate" AND "sort_number" IS NOT NULL;
	UPDATE "entries" SET "gift" = 0 WHERE "id" = old."id";
END;--> statement-breakpoint
CREATE TRIGGER "referral_touches_entry_deleted" AFTER DELETE ON "entries"
BEGIN
	DELETE FROM "referral_touches" WHERE "entry_id" = old."id";
END;--> statement-breakpoint
CREATE TRIGGER "referral_touches_entry_restarted" AFTER UPDATE OF "id" ON "entries" WHEN new."id" <> old."id"
BEGIN
	DELETE FROM "referral_touches" WHERE "entry_id" = old."id";
END;
