import { deliverDueMails } from "./deliver-mail.server.ts";
import { removeOldMails, wipeFailedMails } from "../queries.server.ts";

/** The cron job's part: sends due emails and removes old ones. */
export async function sweepMails(app: Parameters<typeof deliverDueMails>[0]): Promise<void> {
  await deliverDueMails(app);
  await app.db.batch([wipeFailedMails(app.db, app.clock()), removeOldMails(app.db, app.clock())]);
}
