import { use, useId } from "react";
import { Form, useLocation } from "react-router";
import { hiddenLicenceKey } from "#app/features/devices/licence-key.rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { CopyField } from "#app/ui/components/forms/copy-field.tsx";
import { Flash, FlashContext } from "#app/ui/components/feedback/flash.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { devicesMessages } from "./messages.ts";

/** A section of its own once devices are active: by then the key is rarely needed. */
export function LicenceKey({ licenceKey, product }: { licenceKey: string | null; product: string }) {
  const { key: messages } = useMessages(devicesMessages);
  return (
    <SectionCard id="licence" title={messages.title}>
      <p>{messages.text(product)}</p>
      <Key licenceKey={licenceKey} />
    </SectionCard>
  );
}

/** The licence key inside the set-up step that needs it. */
export function KeyInStep({ licenceKey }: { licenceKey: string | null }) {
  const { key: messages } = useMessages(devicesMessages);
  const headingId = useId();
  const flash = use(FlashContext);
  return (
    <section className="step-more" id="licence" tabIndex={-1} aria-labelledby={headingId}>
      <h4 id={headingId}>{messages.title}</h4>
      {flash?.cardId === "licence" && <Flash arrival={flash.arrival}>{flash.children}</Flash>}
      <Key licenceKey={licenceKey} />
    </section>
  );
}

/** Hidden until the user shows it after re-authentication; can be hidden again. */
function Key({ licenceKey }: { licenceKey: string | null }) {
  const { key: messages } = useMessages(devicesMessages);
  const { pathname } = useLocation();
  if (licenceKey === null) return <HiddenKey />;
  return (
    <>
      <CopyField label={messages.label} value={licenceKey} messages={messages} isCode />
      <div className="row">
        <LinkButton to={`${pathname}#licence`}>{messages.hide}</LinkButton>
        <ReplaceKey />
      </div>
    </>
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
      <div className="row">
        <Form method="post">
          <Button name="intent" value="show-key" pending={pending} pendingLabel={messages.showing}>
            {messages.show}
          </Button>
        </Form>
        <ReplaceKey />
      </div>
      <p className="quiet">{messages.proof}</p>
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
