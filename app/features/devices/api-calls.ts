import * as v from "valibot";
import type { App } from "#app/app.ts";
import type { DeviceId } from "#app/core/id.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { hasDevices } from "./plans.rules.ts";
import { usageCalls } from "./usage-calls.ts";
import { activateDevice, type ActivationRefusal } from "./commands/activate-device.server.ts";
import { entitlementToken, refreshPeriod } from "#app/modules/billing/entitlements/entitlement.rules.ts";
import { findEntitlement } from "./reads/find-entitlement.server.ts";
import { releaseSeat } from "./commands/remove-device.server.ts";
import { activationBody } from "./rules.ts";
import { signEntitlement, signingKey } from "#app/modules/billing/entitlements/commands/sign-entitlement.server.ts";
import { secondsUntil } from "#app/core/time/time.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { answerUnlessKnown, describeUnlessKnown, etagOf, refuseToken } from "#app/api/answers.ts";
import { type Call, describeCall } from "#app/api/call.ts";
import { type Problem, problem } from "#app/api/problems.ts";

const deviceToken = v.pipe(v.string(), v.description("The bearer token of the device's other calls: a secret"));

const activate = describeCall({
  method: "POST",
  path: "/devices",
  caller: "anyone",
  summary: "Gives a machine a seat, by a licence key; the same machine gets the same answer again",
  body: activationBody,
  answers: [
    { status: 201, what: "The machine has a seat", body: v.object({ deviceToken, entitlement: entitlementToken }) },
  ],
  problems: ["licence-key-refused", "plan-required", "seats-full", "activations-used-up"],
  async run(app, { country, body }) {
    const activated = await activateDevice(app, { ...body, country });
    return activated.ok ? { status: 201, body: activated.value } : refuse(activated.refusal, app);
  },
});

const removeCurrent = describeCall({
  method: "DELETE",
  path: "/devices/current",
  caller: "device",
  summary: "The device gives its seat back; its token ends",
  body: null,
  answers: [{ status: 204, what: "The seat is free", body: null }],
  problems: [],
  async run(app, { country, callerId }) {
    const removed = await releaseSeat(app, callerId, country);
    return removed.ok ? { status: 204 } : refuseToken();
  },
});

const entitlement = describeCall({
  method: "GET",
  path: "/entitlement",
  caller: "device",
  summary: "What the device may do now; request it again when the token's refreshAt has come",
  body: null,
  ...describeUnlessKnown(
    "A token for a day",
    v.object({ token: entitlementToken }),
    "Your token is current: a new one would have the same content",
  ),
  problems: [],
  async run(app, { request, callerId }) {
    const claims = await findEntitlement(app, callerId);
    if (!claims) return refuseToken();
    const { kid } = await signingKey(app);
    const etag = await etagOf([claims, kid, refreshPeriod(app.clock())]);
    return answerUnlessKnown(request, etag, async () => ({ token: await signEntitlement(app, claims) }));
  },
});

export function deviceCalls(product: ProductConfig): Call[] {
  return hasDevices(product) ? [activate, removeCurrent, entitlement, ...usageCalls(product)] : [];
}

declare module "#app/api/call.ts" {
  interface FeatureCallers {
    device: DeviceId;
  }
}

function refuse(refusal: ActivationRefusal, { origin, clock }: Pick<App, "origin" | "clock">): Problem {
  switch (refusal.reason) {
    case "licence-key-refused":
      return problem(refusal.reason, { headers: { "WWW-Authenticate": "Bearer" } });
    case "plan-required": {
      const url = origin + pagePaths.upgrade;
      return problem(refusal.reason, { detail: `Its owner can choose a plan at ${url}`, url });
    }
    case "seats-full":
      return problem(refusal.reason, {
        detail: `${refusal.used} of ${refusal.seats} seats are taken. Its owner can remove a device, or change the plan.`,
      });
    case "activations-used-up":
      return problem(refusal.reason, { headers: { "Retry-After": String(secondsUntil(refusal.retryAt, clock())) } });
  }
}
