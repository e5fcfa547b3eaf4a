import { Form } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { Points } from "#app/ui/components/data/points.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { askReasonParameter } from "./query-parameters.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

type Ending = RunningPage["texts"]["ending"];
type EndingOf<Kind extends Ending["kind"]> = Extract<Ending, { kind: Kind }>;

/** The plan isn't cancelled: cancels it at the end of the period, or ends it immediately, after a confirmation. */
export function Cancel({ page }: { page: RunningPage }) {
  const { ending } = page.texts;
  switch (ending.kind) {
    case "cancel":
      return <CancelWithPeriod page={page} ending={ending} />;
    case "end-now":
      return <EndNow page={page} ending={ending} />;
    case "in-process":
      return (
        <SectionCard title={ending.title}>
          <p>{ending.text}</p>
        </SectionCard>
      );
    case "undo":
      return null;
  }
}

function CancelWithPeriod({ page, ending }: { page: RunningPage; ending: EndingOf<"cancel"> }) {
  const isPending = usePending("intent", "cancel");
  return (
    <SectionCard title={ending.title}>
      <p>{ending.text}</p>
      {!page.isWithdrawn && page.excess.length > 0 && <Points points={page.excess} />}
      <Form method="post">
        <Button kind="danger" name="intent" value="cancel" pending={isPending} pendingLabel={ending.pending}>
          {ending.button}
        </Button>
      </Form>
      {/* Comes below the button, so that the button is on the first screen. */}
      {!page.isWithdrawn && page.freeIncludes && <p className="quiet">{page.freeIncludes}</p>}
    </SectionCard>
  );
}

function EndNow({ page, ending }: { page: RunningPage; ending: EndingOf<"end-now"> }) {
  const isPending = usePending("intent", "cancel");
  const { title, texts, open, keep, button, pending } = ending.dialog;
  return (
    <SectionCard title={ending.title}>
      <p>{ending.text}</p>
      <Shrinking page={page} />
      <Dialog
        id="end-plan"
        title={title}
        openLabel={open}
        openKind="danger"
        messages={{ close: keep }}
        action={
          <Form method="post">
            <Button kind="danger" name="intent" value="cancel" pending={isPending} pendingLabel={pending}>
              {button}
            </Button>
          </Form>
        }
      >
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Dialog>
    </SectionCard>
  );
}

/** What the plan that follows includes, and what of today's use it doesn't. */
function Shrinking({ page: { freeIncludes, excess } }: { page: RunningPage }) {
  return (
    <>
      {freeIncludes && <p>{freeIncludes}</p>}
      {excess.length > 0 && <Points points={excess} />}
    </>
  );
}

/** For a cancelled plan: when it ends, and the button to keep it. */
export function Resume({ page }: { page: RunningPage }) {
  const { why } = useMessages(planMessages);
  const isPending = usePending("intent", "resume");
  const isAskedLater = page.question?.given === null && !page.isAsking;
  const { ending } = page.texts;
  if (ending.kind !== "undo") return null;
  return (
    <SectionCard title={ending.title} tone="attention">
      <p>{ending.text}</p>
      {!page.isWithdrawn && <Shrinking page={page} />}
      <Form method="post" className="row">
        <Button kind="primary" name="intent" value="resume" pending={isPending} pendingLabel={ending.pending}>
          {ending.button}
        </Button>
        {isAskedLater && <Link to={`?${askReasonParameter}#why`}>{why}</Link>}
      </Form>
    </SectionCard>
  );
}
