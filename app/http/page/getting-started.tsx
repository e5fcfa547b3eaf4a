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

/** How a customer gets the product: downloads, three steps, and the link that opens it. */
export function GettingStarted({ start, licenceKey }: GettingStartedProps) {
  const messages = useMessages(gettingStartedMessages);
  const isInstalled = start.downloads.length > 0;
  return (
    <SectionCard
      id="start"
      title={(isInstalled ? messages.title : messages.start)(start.product)}
      footer={
        start.activationUrl && (
          <a className="button button-plain" href={start.activationUrl}>
            <span className="button-label">{(isInstalled ? messages.activate : messages.open)(start.product)}</span>
          </a>
        )
      }
    >
      <DownloadAndSteps start={start} licenceKey={licenceKey} />
    </SectionCard>
  );
}

/** What to do, with the downloads in the first step; the downloads alone where there are no steps. */
export function DownloadAndSteps({ start, licenceKey }: GettingStartedProps) {
  const downloads = start.downloads.length > 0 && <Downloads downloads={start.downloads} />;
  if (start.steps.length === 0) return downloads;
  const steps = start.steps.map(({ needsKey, ...step }, index) => ({
    ...step,
    more: (
      <>
        {index === 0 && downloads && <div className="step-more">{downloads}</div>}
        {needsKey && licenceKey}
      </>
    ),
  }));
  return <Steps steps={steps} />;
}

function Downloads({ downloads }: Pick<ProductConfig["start"], "downloads">) {
  const messages = useMessages(gettingStartedMessages);
  const count = downloads.length;
  return (
    <ul className="downloads" data-beside={count < 3 || count % 3 === 1 ? 2 : 3} aria-label={messages.downloads}>
      {downloads.map((download) => (
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
  );
}
