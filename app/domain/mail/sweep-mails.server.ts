import { deliverDueMails } from "./deliver-mail.server.ts";
import { removeOldMails } from "./store.server.ts";

/** The clock's share: what is due leaves, and rows that nobody needs any more go. */
export async function sweepMails(app: Parameters<typeof deliverDueMails>[0]): Promise<void> {
  await deliverDueMails(app);
  await removeOldMails(app.db, app.clock());
}
