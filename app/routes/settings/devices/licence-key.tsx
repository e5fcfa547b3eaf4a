import { Form, useLocation } from "react-router";
import { hiddenLicenceKey } from "#app/modules/devices/licence-key.rules.ts";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { CopyField } from "#app/ui/components/copy-field.tsx";
import { Dialog } from "#app/ui/components/dialog.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { devicesWords } from "./messages.ts";

/** Hidden until it is asked for after a fresh proof, and again with the way back. */
export function LicenceKey({ licenceKey, product }: { licenceKey: string | null; product: string }) {
  const { key: words } = useWords(devicesWords);
  const { pathname } = useLocation();
  return (
    <SectionCard id="licence" title={words.title} footer={<ReplaceKey />}>
      <p>{words.text(product)}</p>
      {licenceKey === null ? (
        <HiddenKey />
      ) : (
        <>
          <CopyField label={words.label} value={licenceKey} words={words} isCode />
          <LinkButton to={`${pathname}#licence`}>{words.hide}</LinkButton>
        </>
      )}
    </SectionCard>
  );
}

function HiddenKey() {
  const { key: words } = useWords(devicesWords);
  const pending = usePending("intent", "show-key");
  return (
    <>
      <p className="licence-key">
        <span className="visually-hidden">{words.hidden}</span>
        <span aria-hidden="true">{hiddenLicenceKey()}</span>
      </p>
      <Form method="post" className="row">
        <Button name="intent" value="show-key" pending={pending} pendingLabel={words.showing}>
          {words.show}
        </Button>
        <span className="quiet">{words.proof}</span>
      </Form>
    </>
  );
}

function ReplaceKey() {
  const { key: words } = useWords(devicesWords);
  const pending = usePending("intent", "rotate-key");
  return (
    <Dialog
      id="replace-key"
      title={words.replaceTitle}
      openKind="plain"
      openLabel={words.replace}
      words={{ close: words.keep }}
      act={
        <Form method="post">
          <Button kind="danger" name="intent" value="rotate-key" pending={pending} pendingLabel={words.replacing}>
            {words.replaceNow}
          </Button>
        </Form>
      }
    >
      <p>{words.replaceText}</p>
      <p className="quiet">{words.proof}</p>
    </Dialog>
  );
}
