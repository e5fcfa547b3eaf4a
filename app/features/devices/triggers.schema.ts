const hasDevices = `EXISTS (SELECT 1 FROM "devices" WHERE "account_id" = new."account_id" AND "state" = 'active')`;
const makeDue = `INSERT INTO "seat_reductions" ("account_id", "state") SELECT new."account_id", 'due'
		WHERE NOT EXISTS (SELECT 1 FROM "seat_reductions" WHERE "account_id" = new."account_id");
	UPDATE "seat_reductions" SET "state" = 'due' WHERE "account_id" = new."account_id";`;

/** Another plan, or none any more, may have fewer seats than there are devices: the cron job looks at it next, whatever wrote the plan. */
export const deviceTriggers = [
  `CREATE TRIGGER "seat_reductions_plan_began" AFTER INSERT ON "subscriptions" WHEN ${hasDevices}
BEGIN
	${makeDue}
END`,
  `CREATE TRIGGER "seat_reductions_plan_changed" AFTER UPDATE OF "state", "plan_id" ON "subscriptions"
WHEN (new."state" <> old."state" OR new."plan_id" <> old."plan_id") AND ${hasDevices}
BEGIN
	${makeDue}
END`,
];
