import type { App } from "#app/app.ts";
import { isOperatorCookie } from "#app/modules/operators/operator-cookie.rules.ts";
import { readSetUpProgress } from "#app/modules/operators/reads/read-set-up-progress.server.ts";

/** The set-up progress, which only a browser with the operators' cookie gets. Null for everyone else, and when it can't be read. */
export async function findSetUpProgress(app: App, cookie: string | null) {
  if (!(await isOperatorCookie(app, cookie, app.clock()))) return null;
  return readSetUpProgress(app).catch((error: unknown) => {
    app.report(error);
    return null;
  });
}
