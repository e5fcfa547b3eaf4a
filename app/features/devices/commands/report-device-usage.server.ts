import type { DeviceId } from "#app/core/id.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { refused, type Result } from "#app/core/result.ts";
import { type Report, reportUsage, type Usage } from "#app/modules/billing/usage/commands/report-usage.server.ts";
import { accountOfDevice, changeLastSeen, findActiveDevice } from "../queries.server.ts";

type ReportRefusal = { reason: "device-unknown" } | { reason: "report-from-future" };

/** Stores a device's report for its account, and that the device was seen; each device is a source of its own. */
export async function reportDeviceUsage(
  app: Parameters<typeof reportUsage>[0],
  deviceId: DeviceId,
  report: Report,
): Promise<Result<Usage, ReportRefusal>> {
  const alongside = [changeLastSeen(app.db, deviceId, app.clock())];
  const path = `${segmentPath(app.product, "account")}#usage`;
  const reporter = { account: accountOfDevice(deviceId), source: deviceId, path, alongside };
  const reported = await reportUsage(app, reporter, report);
  if (reported?.ok || (reported && (await findActiveDevice(app.db, deviceId)))) return reported;
  return refused({ reason: "device-unknown" });
}
