CREATE TABLE `operator_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`operator` text NOT NULL,
	`outcome` text NOT NULL,
	`call` text NOT NULL,
	`subject` text,
	`reason` text,
	`refusal` text,
	`began_at` integer NOT NULL,
	CONSTRAINT "operator_acts_outcome" CHECK("operator_acts"."outcome" in ('began', 'done', 'refused', 'broken'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `operator_acts_newest` ON `operator_acts` (`began_at`);