import type { App } from "#app/app.ts";
import { isOperatorCookie } from "#app/modules/operators/operator-cookie.rules.ts";
import { readSetUpProgress } from "#app/modules/operators/reads/read-set-up-progress.server.ts";

/** For a browser that has shown the operators' token. Null: it hasn't, as all visitors, or it can't be read now. */
export async function findSetUpProgress(app: App, cookie: string | null) {
  if (!(await isOperatorCookie(app, cookie, app.clock()))) return null;
  return readSetUpProgress(app).catch((error: unknown) => {
    app.report(error);
    return null;
  });
}
