import { activateDevice } from "#app/modules/devices/commands/activate-device.server.ts";
import { removeDevice } from "#app/modules/devices/commands/remove-device.server.ts";
import { readDeviceToken } from "#app/modules/devices/device-token.rules.ts";
import { listDevices } from "#app/modules/devices/queries.server.ts";
import { findEntitlement } from "#app/modules/devices/reads/find-entitlement.server.ts";
import { showLicenceKey } from "#app/modules/devices/reads/show-licence-key.server.ts";
import { findClaimViolation } from "../invariants/find-claim-violation.ts";
import type { WorldApp } from "../make-app.ts";
import { must } from "../must.ts";
import type { Person, SignedIn } from "./person.ts";
import { Refused } from "../refused.ts";
import { Violated } from "../violated.ts";

/** What someone does with the product on their devices. */
export class DeviceOwner {
  readonly person: Person;

  constructor(person: Person) {
    this.person = person;
  }

  /** The product asks at once what it may do. */
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
    const id = this.person.deviceToken && (await readDeviceToken(app.pepper, this.person.deviceToken));
    if (!id) throw new Refused("no device");
    const claims = await findEntitlement(app, id);
    if (claims === null) throw new Refused("no seat");
    const broken = findClaimViolation(this.person.world, claims);
    if (broken) throw new Violated(broken.invariant, broken.details);
  }

  async removesDevice({ app, viewer }: SignedIn): Promise<void> {
    const [device] = await listDevices(app.db, viewer.account.id);
    if (!device) throw new Refused("no device");
    must(await removeDevice(app, viewer, device.id));
  }
}
