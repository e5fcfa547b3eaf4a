import { documents } from "#app/modules/billing/documents/schema.ts";
import type { IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import type { Database } from "#app/db/database.server.ts";

/** A document as if it had been issued, of an order that a test inserted without a payment. */
export function insertDocument(db: Database, document: IssuedDocument) {
  return db.insert(documents).values(document);
}
