import { gatePages } from "#app/features.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { carryOn } from "./plan-cards.tsx";

/** Where one waits for what is open by invitation only: for a plan, or to sign up at all. */
export function Join({ page, plan }: { page: { isFull: boolean; carried: string | null }; plan?: string }) {
  const { path, messages } = gatePages();
  const { landing } = useMessages(messages);
  return (
    <LinkButton kind={page.isFull ? "quiet" : "primary"} to={carryOn(path, {}, page.carried)}>
      {page.isFull ? landing.full : plan === undefined ? landing.join : landing.plan.join(plan)}
    </LinkButton>
  );
}

export function JoinNote({ isFull }: { isFull: boolean }) {
  const { landing } = useMessages(gatePages().messages);
  return isFull ? landing.fullNote : landing.joinNote;
}
