import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { PayDue } from "../pay-due.tsx";
import { overviewMessages } from "./messages.ts";
import type { AttentionItem } from "./say-attention.ts";

/** What needs the owner's attention, most urgent first; nothing when nothing does. */
export function Attention({ items }: { items: AttentionItem[] }) {
  const messages = useMessages(overviewMessages);
  const [first] = items;
  if (!first) return null;
  return (
    <SectionCard title={messages.attention} tone={first.kind === "payment-failed" ? "problem" : "attention"}>
      <ul className="attention">
        {items.map(({ kind, title, texts, link, pay }, index) => (
          <li key={kind} className="text-and-button">
            <div>
              <h3>{title}</h3>
              {texts.map((text) => (
                <p key={text}>{text}</p>
              ))}
            </div>
            {pay && <PayDue {...pay} isSecond={index > 0} />}
            {link && (
              <LinkButton kind={index === 0 ? "primary" : "quiet"} to={link.to}>
                {link.text}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}
