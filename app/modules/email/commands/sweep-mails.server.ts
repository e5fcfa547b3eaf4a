import { deliverDueMails } from "./deliver-mail.server.ts";
import { removeOldMails, wipeFailedMails } from "../queries.server.ts";

/** The clock's share: what is due leaves, and what nobody needs any more goes. */
export async function sweepMails(app: Parameters<typeof deliverDueMails>[0]): Promise<void> {
  await deliverDueMails(app);
  await app.db.batch([wipeFailedMails(app.db, app.clock()), removeOldMails(app.db, app.clock())]);
}
