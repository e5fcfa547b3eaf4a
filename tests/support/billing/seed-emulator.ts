import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

type Row = Record<"id" | "kind" | "body", string> & { customer: string | null };

const catalogues = new Map<ProductConfig, Row[]>();

/**
 * A Stripe emulator with a catalogue in it. Setting one up takes some thirty calls, and every test wants its own: it
 * is set up once, and its objects are copied from then on.
 */
export async function seedEmulator(host: string, sold: ProductConfig, setUp: () => Promise<void>): Promise<void> {
  const emulator = env.STRIPE_ACCOUNT.getByName(host);
  const objects = catalogues.get(sold);
  if (objects) {
    await runInDurableObject(emulator, (_, { storage }) => {
      for (const { id, kind, customer, body } of objects) {
        storage.sql.exec(
          "insert into objects (id, kind, customer, body) values (?, ?, ?, ?)",
          id,
          kind,
          customer,
          body,
        );
      }
    });
    return;
  }
  await setUp();
  const made = await runInDurableObject(emulator, (_, { storage }) =>
    storage.sql.exec<Row>("select id, kind, customer, body from objects order by seq").toArray(),
  );
  catalogues.set(sold, made);
}
