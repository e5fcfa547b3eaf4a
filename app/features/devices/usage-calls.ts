import * as v from "valibot";
import { reportDeviceUsage } from "./commands/report-device-usage.server.ts";
import { usageBody } from "#app/modules/billing/usage/rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { refuseToken } from "#app/api/answers.ts";
import { type Call, describeCall } from "#app/api/call.ts";
import { problem } from "#app/api/problems.ts";

const quantity = v.pipe(v.number(), v.description("In the meter's unit"));

/** A product without meters has no usage to report. */
export function usageCalls({ meters }: Pick<ProductConfig, "meters">): Call[] {
  const report = describeCall({
    method: "PUT",
    path: "/usage",
    caller: "device",
    summary: "Stores a meter's value; reports may come late, twice and in any order",
    body: usageBody(meters),
    answers: [
      {
        status: 200,
        what: "The usage of all devices of the account, and the limit of its plan",
        body: v.object({ meter: v.string(), used: quantity, limit: quantity }),
      },
    ],
    problems: ["report-from-future"],
    async run(app, { body, callerId }) {
      const reported = await reportDeviceUsage(app, callerId, body);
      if (reported.ok) return { status: 200, body: reported.value };
      return reported.refusal.reason === "device-unknown" ? refuseToken() : problem(reported.refusal.reason);
    },
  });
  return meters.length === 0 ? [] : [report];
}
