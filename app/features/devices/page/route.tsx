import { data } from "react-router";
import type { App } from "#app/app.ts";
import { readerOf, formatDay } from "#app/core/time/time.ts";
import { readId, noDevice } from "#app/core/id.ts";
import { appContext } from "#app/http/request/contexts.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { hasDevices, seatsOf } from "../plans.rules.ts";
import { removeDevice } from "#app/features/devices/commands/remove-device.server.ts";
import { renameDevice } from "#app/features/devices/commands/rename-device.server.ts";
import { rotateLicenceKey } from "#app/features/devices/commands/rotate-licence-key.server.ts";
import { surplusOf } from "#app/features/devices/seats.rules.ts";
import { showDevices } from "#app/features/devices/reads/show-devices.server.ts";
import { showLicenceKey } from "#app/features/devices/reads/show-licence-key.server.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { answerDevicesForm, refuseFields } from "./answers.ts";
import { KeyInStep, LicenceKey } from "./licence-key.tsx";
import { Usage } from "./usage.tsx";
import { Devices } from "./devices.tsx";
import { DevicesPage } from "./page.tsx";
import { NoPlanNotice, OverLimit, DeviceFormRefused } from "./notices.tsx";
import { devicesMessages } from "./messages.ts";
import { devicesForm } from "./form.ts";
import { DownloadAndSteps, GettingStarted } from "#app/http/page/getting-started.tsx";
import { gettingStartedMessages } from "#app/http/page/getting-started.messages.ts";
import { Disclosure } from "#app/ui/components/layout/disclosure.tsx";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(devicesMessages.en.title, matches) }];

/** A product without devices has no such page. */
function requirePage({ product }: App): void {
  if (!hasDevices(product)) throw data(null, { status: 404 });
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  requirePage(app);
  const { accountId, viewer } = signedIn(context);
  const reads = showDevices(app, accountId, viewer, { key: url.searchParams.has("key") });
  const [{ plan, list, releasesAt, meters, key }, { account }] = await Promise.all([reads, viewer]);
  return {
    reader: readerOf(account),
    plan: plan && { name: plan.name, seats: seatsOf(plan) },
    meters,
    devices: list,
    release: plan && releaseOf(list, seatsOf(plan), { releasesAt, account }),
    key,
    start: { ...app.product.start, product: app.product.name },
  };
}

/** Which devices are removed unless the owner chooses, and on which day. Null if none are, or if the owner hasn't been emailed yet. */
function releaseOf(
  list: { name: string }[],
  seats: number,
  { releasesAt, account }: { releasesAt: number | null; account: Account },
) {
  if (list.length <= seats || releasesAt === null) return null;
  return {
    day: formatDay(releasesAt, account),
    devices: surplusOf(list, seats)
      .map(({ name }) => name)
      .join(", "),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  requirePage(app);
  const viewer = await signedIn(context).viewer;
  const form = readForm(context, devicesForm);
  if (!form.ok) return refuseFields(form.refusal);
  const fields = form.value;
  const submitted = { app, request, viewer, intent: fields.intent };
  switch (fields.intent) {
    case "show-key":
      return answerDevicesForm(submitted, await showLicenceKey(app, viewer));
    case "rotate-key":
      return answerDevicesForm(submitted, await rotateLicenceKey(app, viewer));
    case "rename-device": {
      const id = readId("dev", fields.device) ?? noDevice;
      return answerDevicesForm(submitted, await renameDevice(app, viewer, { id, name: fields.name }));
    }
    case "remove-device":
      return answerDevicesForm(submitted, await removeDevice(app, viewer, readId("dev", fields.device) ?? noDevice));
  }
}

export default function DevicesAndLicence({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(devicesMessages);
  const { plan, devices, release, start } = page;
  const { product } = start;
  const used = devices.length;
  const isStarting = plan !== null && used === 0;
  const isRoomLeft = plan !== null && used > 0 && used < plan.seats;
  const isKeyInStep = isStarting && start.steps.some(({ needsKey }) => needsKey);
  return (
    <DevicesPage
      title={messages.title}
      lead={plan ? messages.lead : messages.leadNoPlan(product)}
      isKeyShown={page.key !== null}
    >
      <DeviceFormRefused refusal={refusal} />
      {plan ? (
        <OverLimit plan={plan} used={used} product={product} release={release} />
      ) : (
        <NoPlanNotice used={used} product={product} />
      )}
      {isStarting && <GettingStarted start={start} licenceKey={<KeyInStep licenceKey={page.key} />} />}
      <Devices
        devices={devices}
        refusal={refusal}
        seats={plan && plan.seats}
        removed={release?.day ?? null}
        reader={page.reader}
        product={product}
        another={isRoomLeft && <AnotherDevice start={start} />}
      />
      <Usage meters={page.meters} hasPlan={plan !== null} reader={page.reader} />
      {!isKeyInStep && <LicenceKey licenceKey={page.key} product={product} />}
    </DevicesPage>
  );
}

/** How to set up one more device, once one is active. */
function AnotherDevice({ start }: Parameters<typeof DownloadAndSteps>[0]) {
  const { devices: messages } = useMessages(devicesMessages);
  const { toKey } = useMessages(gettingStartedMessages);
  return (
    <Disclosure label={messages.another} open={false}>
      <DownloadAndSteps start={start} licenceKey={<a href="#licence">{toKey}</a>} />
    </Disclosure>
  );
}
