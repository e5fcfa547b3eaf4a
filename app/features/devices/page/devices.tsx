import type { ReactNode } from "react";
import type { DeviceId } from "#app/core/id.ts";
import { Form } from "react-router";
import type { Reader } from "#app/core/time/time.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { EmptyState } from "#app/ui/components/feedback/empty-state.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { devicesMessages } from "./messages.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import { RenameDevice, type useRefusedName } from "./rename-device.tsx";

type Device = {
  id: DeviceId;
  name: string;
  ownName: string;
  platform: string;
  activatedAt: number;
  lastSeenAt: number;
};
type DevicesProps = {
  devices: Device[];
  /** Null without an active plan, when no device is over a limit. */
  seats: number | null;
  /** The day on which the devices over the limit are removed. Null if none are. */
  removed: string | null;
  reader: Reader;
  product: string;
  refusal: Parameters<typeof useRefusedName>[0];
  /** How to set up one more, below the list. */
  another: ReactNode;
};

export function Devices({ devices, seats, removed, reader, product, refusal, another }: DevicesProps) {
  const { devices: messages, none } = useMessages(devicesMessages);
  const usage = useMessages(usageMessages);
  const { timeZone, locale } = reader;
  return (
    <SectionCard id="devices" title={messages.title}>
      {seats !== null && (
        <MeterBar
          label={messages.active}
          text={usage.countUsed(devices.length, seats)}
          value={devices.length}
          max={seats}
          mayBeFull
        />
      )}
      {devices.length === 0 ? (
        // With a plan, the page already says above how to activate one.
        <EmptyState title={none.title}>{seats === null && none.text(product)}</EmptyState>
      ) : (
        <DataTable
          caption={messages.title}
          columns={[
            { key: "name", label: messages.name },
            { key: "lastSeen", label: messages.lastSeen },
            { key: "added", label: messages.added },
            { key: "actions", label: "", align: "end" },
          ]}
          rows={devices.map((device, index) => ({
            id: device.id,
            cells: {
              name: <Name device={device} removed={seats === null || index < seats ? null : removed} />,
              lastSeen: <Moment at={device.lastSeenAt} timeZone={timeZone} locale={locale} style="short-date-time" />,
              added: <Moment at={device.activatedAt} timeZone={timeZone} locale={locale} style="short" />,
              actions: (
                <div className="row-end">
                  <RenameDevice device={device} refusal={refusal} />
                  <RemoveDevice device={device} product={product} />
                </div>
              ),
            },
          }))}
        />
      )}
      {another}
    </SectionCard>
  );
}

function Name({ device, removed }: { device: Device; removed: string | null }) {
  const { devices: messages } = useMessages(devicesMessages);
  return (
    <>
      {device.name}
      <div className="quiet">{device.platform}</div>
      {removed !== null && <div>{messages.goes(removed)}</div>}
    </>
  );
}

function RemoveDevice({ device, product }: { device: Device; product: string }) {
  const { devices: messages } = useMessages(devicesMessages);
  const pending = usePending("intent", "remove-device");
  return (
    <Dialog
      id={`remove-${device.id}`}
      title={messages.removeTitle(device.name)}
      openKind="plain"
      openLabel={
        <>
          {messages.remove} <span className="visually-hidden">{device.name}</span>
        </>
      }
      messages={{ close: messages.keep }}
      action={
        <Form method="post">
          <input type="hidden" name="device" value={device.id} />
          <Button kind="danger" name="intent" value="remove-device" pending={pending} pendingLabel={messages.removing}>
            {messages.removeNow}
          </Button>
        </Form>
      }
    >
      <p>{messages.removeText(product)}</p>
    </Dialog>
  );
}
