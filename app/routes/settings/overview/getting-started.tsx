import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Icon } from "#app/ui/components/icons.tsx";
import { FoldingCard } from "#app/ui/components/layout/folding-card.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { Steps } from "#app/ui/components/layout/steps.tsx";
import { gettingStartedMessages } from "./getting-started.messages.ts";

type GettingStartedProps = {
  start: ProductConfig["start"] & { product: string };
  /** Shortened, for a page of many cards. */
  folds?: boolean;
};

/** How a customer gets the product: downloads, three steps, and the link that activates the installed product. */
export function GettingStarted({ start, folds = false }: GettingStartedProps) {
  const messages = useMessages(gettingStartedMessages);
  const count = start.downloads.length;
  const card = {
    id: "start",
    title: messages.title(start.product),
    footer: (
      <a className="button button-plain" href={start.activationUrl}>
        <span className="button-label">{messages.activate(start.product)}</span>
      </a>
    ),
    children: (
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
        <Steps steps={start.steps} />
      </>
    ),
  };
  return folds ? <FoldingCard {...card} brief={messages.brief} /> : <SectionCard {...card} />;
}
