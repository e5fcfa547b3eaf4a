import { appContext } from "#app/http/request/contexts.ts";
import { readCapped } from "#app/http/forms/read-form.ts";
import { recordReturns } from "#app/modules/email/commands/record-returns.server.ts";
import type { Route } from "./+types/route";

/** A report repeats an email's headers at most, not its contents. */
const reportBytesMax = 256 * 1024;

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  // The body was already read as a form, which no report is.
  if (request.bodyUsed) return new Response(null, { status: 415 });
  const body = await readCapped(request.body, reportBytesMax);
  if (!body.ok) return new Response(null, { status: body.refusal.status });
  if (app.returns === null) return new Response(null, { status: 404 });
  const report = await app.returns.read(request.headers, new TextDecoder().decode(body.value));
  if (!report.ok) {
    // SNS sends the password of its URL only once it's asked for it.
    return new Response(null, { status: 401, headers: { "WWW-Authenticate": 'Basic realm="email reports"' } });
  }
  await recordReturns(app, report.value.returns);
  if (report.value.confirmUrl !== null) app.later(app.returns.confirm(report.value.confirmUrl));
  return new Response(null, { status: 204 });
}
