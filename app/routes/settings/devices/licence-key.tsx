import { Form, useLocation } from "react-router";
import { hiddenLicenceKey } from "#app/modules/devices/licence-key.rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { CopyField } from "#app/ui/components/forms/copy-field.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { devicesMessages } from "./messages.ts";

/** Hidden until the user shows it after re-authentication; can be hidden again. */
export function LicenceKey({ licenceKey, product }: { licenceKey: string | null; product: string }) {
  const { key: messages } = useMessages(devicesMessages);
  const { pathname } = useLocation();
  return (
    <SectionCard id="licence" title={messages.title} footer={<ReplaceKey />}>
      <p>{messages.text(product)}</p>
      {licenceKey === null ? (
        <HiddenKey />
      ) : (
        <>
          <CopyField label={messages.label} value={licenceKey} messages={messages} isCode />
          <LinkButton to={`${pathname}#licence`}>{messages.hide}</LinkButton>
        </>
      )}
    </SectionCard>
  );
}

function HiddenKey() {
  const { key: messages } = useMessages(devicesMessages);
  const pending = usePending("intent", "show-key");
  return (
    <>
      <p className="licence-key">
        <span className="visually-hidden">{messages.hidden}</span>
        <span aria-hidden="true">{hiddenLicenceKey()}</span>
      </p>
      <Form method="post" className="row">
        <Button name="intent" value="show-key" pending={pending} pendingLabel={messages.showing}>
          {messages.show}
        </Button>
        <span className="quiet">{messages.proof}</span>
      </Form>
    </>
  );
}

function ReplaceKey() {
  const { key: messages } = useMessages(devicesMessages);
  const pending = usePending("intent", "rotate-key");
  return (
    <Dialog
      id="replace-key"
      title={messages.replaceTitle}
      openKind="plain"
      openLabel={messages.replace}
      messages={{ close: messages.keep }}
      action={
        <Form method="post">
          <Button kind="danger" name="intent" value="rotate-key" pending={pending} pendingLabel={messages.replacing}>
            {messages.replaceNow}
          </Button>
        </Form>
      }
    >
      <p>{messages.replaceText}</p>
      <p className="quiet">{messages.proof}</p>
    </Dialog>
  );
}
