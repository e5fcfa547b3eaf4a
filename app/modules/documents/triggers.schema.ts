import { getTableColumns } from "drizzle-orm";
import { documents } from "./schema.ts";

/** What an erasure changes. */
const erasable: readonly string[] = ["buyer", "buyerKeptUntil"];
const fixed = Object.keys(getTableColumns(documents))
  .filter((name) => !erasable.includes(name))
  .map((name) => `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`);

/** An issued document is a fact: nothing rewrites it. An erasure takes away who the buyer was, and gives nothing. */
export const documentTriggers = [
  `CREATE TRIGGER "documents_fixed" BEFORE UPDATE OF ${fixed.join(", ")} ON "documents"
BEGIN
	SELECT RAISE(ABORT, 'An issued document never changes.');
END`,
  `CREATE TRIGGER "documents_buyer_erased" BEFORE UPDATE OF "buyer" ON "documents"
WHEN json_extract(new."buyer", '$.name') IS NOT NULL OR json_array_length(new."buyer", '$.address') > 0
	OR coalesce(json_extract(new."buyer", '$.country'), json_extract(old."buyer", '$.country')) IS NOT json_extract(old."buyer", '$.country')
BEGIN
	SELECT RAISE(ABORT, 'An issued document never changes, except by an erasure.');
END`,
  `CREATE TRIGGER "documents_kept" BEFORE DELETE ON "documents"
BEGIN
	SELECT RAISE(ABORT, 'An issued document is never deleted.');
END`,
];
