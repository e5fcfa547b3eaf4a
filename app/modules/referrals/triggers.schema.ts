/** When an entry is deleted, what is known of it by its id is deleted as well. */
export const referralTriggers = [
  `CREATE TRIGGER "referral_touches_entry_deleted" AFTER DELETE ON "entries"
BEGIN
	DELETE FROM "referral_touches" WHERE "entry_id" = old."id";
END`,
  `CREATE TRIGGER "referral_touches_entry_restarted" AFTER UPDATE OF "id" ON "entries" WHEN new."id" <> old."id"
BEGIN
	DELETE FROM "referral_touches" WHERE "entry_id" = old."id";
END`,
];
