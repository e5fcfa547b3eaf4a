import { activateDevice } from "#app/features/devices/commands/activate-device.server.ts";
import { reportDeviceUsage } from "#app/features/devices/commands/report-device-usage.server.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { readDeviceToken } from "#app/features/devices/device-token.rules.ts";
import { listDevices } from "#app/features/devices/queries.server.ts";
import { findEntitlement } from "#app/features/devices/reads/find-entitlement.server.ts";
import { showLicenceKey } from "#app/features/devices/reads/show-licence-key.server.ts";
import type { DeviceId } from "#app/core/id.ts";
import { hourMs } from "#app/core/time/time.ts";
import { findClaimViolation, runningPlanOf } from "../invariants/find-claim-violation.ts";
import type { WorldApp } from "../make-app.ts";
import { must } from "../must.ts";
import type { Person, SignedIn } from "./person.ts";
import { Refused } from "../refused.ts";
import { Violated } from "../violated.ts";

export class DeviceOwner {
  readonly person: Person;
  /** Devices whose removal the site confirmed. */
  readonly #removed = new Set<DeviceId>();
  readonly #reports = new Map<DeviceId, { at: number; value: number; isStored: boolean }[]>();

  constructor(person: Person) {
    this.person = person;
  }

  /** Activates a device. The product asks at once what it may do. */
  async activates({ app, viewer }: SignedIn, step: number): Promise<void> {
    const licenceKey = must(await showLicenceKey(app, viewer));
    const input = {
      licenceKey,
      fingerprint: `${this.person.name} ${step}`,
      name: `Device of ${this.person.name}`,
      platform: "Linux",
    };
    this.person.types(input.name);
    this.person.deviceToken = must(await activateDevice(app, { ...input, country: null })).deviceToken;
    await this.uses(app);
  }

  async uses(app: WorldApp): Promise<void> {
    const { world } = this.person;
    const id = await this.#deviceId(app);
    const wasRemoved = this.#removed.has(id);
    const before = await runningPlanOf(world, id);
    const claims = await findEntitlement(app, id);
    if (claims === null) throw new Refused("no seat");
    if (wasRemoved) throw new Violated("a removed device may do nothing", { id, claims });
    const broken = findClaimViolation(world, claims, [before, await runningPlanOf(world, id)]);
    if (broken) throw new Violated(broken.invariant, broken.details);
  }

  /** Reports may arrive late: the newest counts. */
  async reportsUsage(app: WorldApp, { share, hoursAgo }: { share: number; hoursAgo: number }): Promise<void> {
    const meter = app.product.meters.find(({ kind }) => kind === "last");
    if (!meter) throw new Refused("no meter");
    const id = await this.#deviceId(app);
    const claims = await findEntitlement(app, id);
    const value = Math.round(share * (claims?.limits[meter.limit] ?? 0));
    const report = { at: app.clock() - hoursAgo * hourMs, value, isStored: false };
    const reports = [...(this.#reports.get(id) ?? []), report];
    this.#reports.set(id, reports);
    must(await reportDeviceUsage(app, id, { meter: meter.key, value, at: report.at }));
    report.isStored = true;
    const [stored] = await this.person.world.records.query<{ at: number; value: number }>(
      "select reported_at as at, value from usage_values where part = ? and meter = ?",
      id,
      meter.key,
    );
    // A report whose Worker died may be stored or not.
    const isNewest =
      stored !== undefined &&
      reports.some(({ at, value: sent }) => at === stored.at && sent === stored.value) &&
      reports.every(
        ({ at, value: sent, isStored }) => !isStored || at < stored.at || (at === stored.at && sent <= stored.value),
      );
    if (!isNewest) throw new Violated("a device's usage is its newest report", { stored, reports });
  }

  async #deviceId(app: WorldApp): Promise<DeviceId> {
    const id = this.person.deviceToken && (await readDeviceToken(app.pepper, this.person.deviceToken));
    if (!id) throw new Refused("no device");
    return id;
  }

  async removesDevice({ app, viewer }: SignedIn): Promise<void> {
    const [device] = await listDevices(app.db, viewer.account.id);
    if (!device) throw new Refused("no device");
    must(await removeDevice(app, viewer, device.id));
    this.#removed.add(device.id);
  }
}
