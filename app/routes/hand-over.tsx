import type { ProductConfig } from "#app/domain/product/rules.ts";
import { useWords } from "#app/ui/language.ts";
import { Icon } from "#app/ui/icons.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { Steps } from "#app/ui/steps.tsx";
import { youWords } from "./you.words.ts";

/** How a customer gets the product: downloads, three steps, and the link that opens what is installed. */
export function HandOver({ start }: { start: ProductConfig["start"] & { product: string } }) {
  const { start: words } = useWords(youWords);
  return (
    <SectionCard
      id="start"
      title={words.title(start.product)}
      footer={<a href={start.activationUrl}>{words.activate(start.product)}</a>}
    >
      <ul className="downloads" aria-label={words.downloads}>
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
    </SectionCard>
  );
}
