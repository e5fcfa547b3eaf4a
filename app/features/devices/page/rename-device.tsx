import type { DeviceId } from "#app/core/id.ts";
import { Form } from "react-router";
import { givenNameLengthMax } from "#app/features/devices/rules.ts";
import { type CodeFormRefusal, useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Field } from "#app/ui/components/forms/field.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import type { Refusal } from "./answers.ts";
import { devicesMessages } from "./messages.ts";

type RenameDeviceProps = {
  device: { id: DeviceId; name: string; ownName: string };
  refusal: Refusal | CodeFormRefusal | undefined;
};

export function RenameDevice({ device, refusal }: RenameDeviceProps) {
  const { rename: messages } = useMessages(devicesMessages);
  const pending = usePending("intent", "rename-device");
  const refused = useRefusedName(refusal, device.id);
  const formId = `name-${device.id}`;
  return (
    <Dialog
      id={`rename-${device.id}`}
      title={messages.title(device.name)}
      openKind="plain"
      openLabel={
        <>
          {messages.open} <span className="visually-hidden">{device.name}</span>
        </>
      }
      messages={{ close: messages.keep }}
      action={
        <Button
          kind="primary"
          name="intent"
          value="rename-device"
          form={formId}
          pending={pending}
          pendingLabel={messages.pending}
        >
          {messages.button}
        </Button>
      }
    >
      <Form method="post" id={formId} noValidate>
        <input type="hidden" name="device" value={device.id} />
        <Field
          id={`${formId}-field`}
          name="name"
          label={messages.label}
          hint={messages.hint(device.ownName, givenNameLengthMax)}
          defaultValue={refused?.typed ?? device.name}
          autoComplete="off"
          error={refused?.problem}
        />
      </Form>
    </Dialog>
  );
}

/** What was typed for this device and refused, and why. Null for every other device. */
export function useRefusedName(refusal: RenameDeviceProps["refusal"], id: DeviceId) {
  const { problems } = useMessages(devicesMessages);
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return typedIn("device") === id ? { typed: typedIn("name"), problem: problemOf("name") } : null;
}
