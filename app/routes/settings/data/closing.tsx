import { Form, href } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Disclosure } from "#app/ui/components/layout/disclosure.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { accountClosingMessages } from "./messages.ts";

type AllMyDataProps = {
  /** What features add to it, as a sentence names it. */
  ofFeatures: readonly string[];
  kind?: "primary" | "quiet";
};

/** The export: one file with everything that is stored about the owner. */
export function AllMyData({ ofFeatures, kind = "quiet" }: AllMyDataProps) {
  const { data: messages } = useMessages(accountClosingMessages);
  return (
    <CollapsibleCard id="data" title={messages.title} brief={messages.brief} isOpen>
      <p>{messages.text(ofFeatures)}</p>
      <Form method="post" action={href("/settings/export")} reloadDocument>
        <Button kind={kind}>{messages.button}</Button>
      </Form>
    </CollapsibleCard>
  );
}

type CloseAccountProps = {
  planName: string | null;
  /** What the product's team says about stored data, if anything. */
  data: string | null;
  restoreDays: number;
  hasOpenWithdrawal: boolean;
  /** The last day on which the customer can withdraw from the plan's contract. Null if they can't. */
  withdrawUntil: string | null;
  /** What comes back of a year that could be ended with notice, and the end of that notice. Null if nothing does. */
  refund: { amount: string; until: string } | null;
  /** A payment that can't be stopped is being processed. */
  isPaying: boolean;
  isOpen: boolean;
  /** What features store and is erased, as a sentence names it. */
  ofFeatures: readonly string[];
};

/** Says what ends and what is retained before it shows the button to close the account; opens without a script. */
export function CloseAccount(props: CloseAccountProps) {
  const { planName, data, restoreDays, hasOpenWithdrawal, isPaying, isOpen, ofFeatures } = props;
  const { close: messages, withdrawal } = useMessages(accountClosingMessages);
  const pending = usePending("intent", "delete");
  const planEnds = planName ? [messages.plan(planName, hasOpenWithdrawal ? null : sayRefund(props))] : [];
  return (
    <CollapsibleCard id="leaving" title={messages.title} brief={messages.brief(restoreDays)}>
      <p>{messages.text(restoreDays)}</p>
      {hasOpenWithdrawal && <p>{withdrawal}</p>}
      <Disclosure label={messages.open} open={isOpen}>
        <Facts title={messages.ends} facts={[...planEnds, messages.sessions, messages.settings]} />
        <Facts title={messages.erased(restoreDays)} facts={[messages.profile(ofFeatures), messages.invitations]} />
        {data && <p>{data}</p>}
        <Facts title={messages.stays} facts={[messages.orders, messages.hashes]} />
        <p>
          <Link to={href("/legal/:page", { page: "privacy" })}>{messages.privacy}</Link>
        </p>
        {isPaying ? (
          <p>{messages.inProcess}</p>
        ) : (
          <AccountForm page={href("/settings/data")}>
            <Button kind="danger" name="intent" value="delete" pending={pending} pendingLabel={messages.pending}>
              {messages.button}
            </Button>
          </AccountForm>
        )}
      </Disclosure>
    </CollapsibleCard>
  );
}

function Facts({ title, facts }: { title: string; facts: string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}

type Back = {
  /** What comes back of a year that could be ended with notice, and the end of that notice. Null if nothing does. */
  refund: { amount: string; until: string } | null;
  /** The last day on which the customer can withdraw from the plan's contract. Null if they can't. */
  withdrawUntil: string | null;
};

/** What of the plan comes back if the account is closed. */
export function sayRefund({ refund, withdrawUntil }: Back): string {
  const { close: messages } = accountClosingMessages.en;
  if (refund === null) return withdrawUntil === null ? messages.noRefund : messages.refundUntil(withdrawUntil);
  const rest = messages.refund(refund);
  return withdrawUntil === null ? rest : `${rest} ${messages.withdrawUntil(withdrawUntil)}`;
}
