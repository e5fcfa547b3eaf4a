import { getTableColumns } from "drizzle-orm";
import { buyerKeptYears, nobody } from "./rules.ts";
import { documents } from "./schema.ts";

/** By whom a tax is owed, and where: what tax law wants to know of a buyer once the name is gone. `row`: of which table or alias. */
function keptBuyer(row: string): string {
  const owes = `exists (select 1 from json_each(${row}."taxes") where value ->> '$.isReverseCharge')`;
  return `json_object('name', null, 'address', json_array(), 'country', json_extract(${row}."buyer", '$.country'),
		'vatIds', iif(${owes}, json(json_extract(${row}."buyer", '$.vatIds')), json_array()), 'paidBy', null)`;
}

/** Until when `keptBuyer` is kept: the second of January, when the year has begun in every time zone. */
function keptUntil(numberYear: string): string {
  return `unixepoch(printf('%04d-01-02', ${numberYear} + ${buyerKeptYears + 1})) * 1000`;
}

/** What an erasure changes. */
const erasable: readonly string[] = ["buyer", "buyerKeptUntil"];
const fixed = Object.keys(getTableColumns(documents))
  .filter((name) => !erasable.includes(name))
  .map((name) => `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`);

/** An issued document is a fact: nothing rewrites it. An erasure leaves `keptBuyer`, and later nothing, of who the buyer was. */
export const documentTriggers = [
  `CREATE TRIGGER "documents_fixed" BEFORE UPDATE OF ${fixed.join(", ")} ON "documents"
BEGIN
	SELECT RAISE(ABORT, 'An issued document never changes.');
END`,
  `CREATE TRIGGER "documents_buyer_erased" BEFORE UPDATE OF "buyer", "buyer_kept_until" ON "documents"
WHEN NOT (new."buyer" IS ${keptBuyer("old")}
		AND new."buyer_kept_until" IS ${keptUntil('old."number_year"')})
	AND NOT (new."buyer" IS '${JSON.stringify(nobody)}' AND new."buyer_kept_until" IS NULL AND old."buyer_kept_until" IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'An issued document never changes, except by an erasure.');
END`,
  // REPLACE deletes the row it conflicts with, and fires no trigger of deletions.
  `CREATE TRIGGER "documents_once" BEFORE INSERT ON "documents"
WHEN EXISTS (SELECT 1 FROM "documents" WHERE "order_id" = new."order_id" AND "cause" = new."cause")
	OR EXISTS (SELECT 1 FROM "documents" WHERE "kind" = new."kind" AND "number_year" = new."number_year"
		AND "number_in_year" = new."number_in_year")
BEGIN
	SELECT RAISE(ABORT, 'An issued document is never replaced.');
END`,
  `CREATE TRIGGER "documents_kept" BEFORE DELETE ON "documents"
BEGIN
	SELECT RAISE(ABORT, 'An issued document is never deleted.');
END`,
];
