import type { ReactNode } from "react";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Icon } from "#app/ui/components/icons.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { Steps } from "#app/ui/components/layout/steps.tsx";
import { gettingStartedMessages } from "./getting-started.messages.ts";

type GettingStartedProps = {
  start: ProductConfig["start"] & { product: string };
  /** Shown in the step that needs the licence key. */
  licenceKey?: ReactNode;
};

/** How a customer gets the product: downloads, three steps, and the link that activates the installed product. */
export function GettingStarted({ start, licenceKey }: GettingStartedProps) {
  const messages = useMessages(gettingStartedMessages);
  return (
    <SectionCard
      id="start"
      title={messages.title(start.product)}
      footer={
        <a className="button button-plain" href={start.activationUrl}>
          <span className="button-label">{messages.activate(start.product)}</span>
        </a>
      }
    >
      <DownloadAndSteps start={start} licenceKey={licenceKey} />
    </SectionCard>
  );
}

/** The downloads, and what to do with one. */
export function DownloadAndSteps({ start, licenceKey }: GettingStartedProps) {
  const messages = useMessages(gettingStartedMessages);
  const count = start.downloads.length;
  const steps = start.steps.map(({ needsKey, ...step }) => (needsKey ? { ...step, more: licenceKey } : step));
  return (
    <>
      <ul className="downloads" data-beside={count < 3 || count % 3 === 1 ? 2 : 3} aria-label={messages.downloads}>
        {start.downloads.map((download) => (
          <li key={download.href}>
            <a className="button button-quiet" href={download.href}>
              <span className="button-label">
                <Icon name="download" /> {download.label}
              </span>
            </a>
            <div className="quiet">{download.detail}</div>
          </li>
        ))}
      </ul>
      {steps.length > 0 && <Steps steps={steps} />}
    </>
  );
}
