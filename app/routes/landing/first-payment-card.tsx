import { Form, href } from "react-router";
import type { StepState } from "#app/modules/operators/set-up-progress.rules.ts";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { Steps } from "#app/ui/components/layout/steps.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { saySetUpProgress } from "./say-set-up-progress.ts";
import { firstPaymentCardMessages } from "./first-payment-steps.messages.ts";

/** The page reloads itself after this long, with or without scripts. */
const refreshSeconds = 10;

const tones = { done: "good", "to-do": "neutral", problem: "bad" } as const satisfies Record<StepState, string>;

type FirstPaymentCardProps = { progress: ReturnType<typeof saySetUpProgress> };

/** Shows operators what is left to do before the first payment, above the page that visitors see. */
export function FirstPaymentCard({ progress: { isComplete, next, steps } }: FirstPaymentCardProps) {
  const messages = useMessages(firstPaymentCardMessages);
  return (
    <div className="wide-card">
      {" "}
      <SectionCard
        title={isComplete ? messages.titleComplete : messages.title}
        footer={
          <Form method="post" action={href("/set-up")}>
            <Button name="intent" value="hide">
              {messages.hide}
            </Button>
          </Form>
        }
      >
        {!isComplete && <meta httpEquiv="refresh" content={String(refreshSeconds)} />}
        <p>{isComplete ? next : messages.lead}</p>
        <Steps
          steps={steps.map(({ state, title, text }) => ({
            title: (
              <>
                {title} <StateChip tone={tones[state]}>{messages.states[state]}</StateChip>
              </>
            ),
            text,
          }))}
        />
      </SectionCard>
    </div>
  );
}
