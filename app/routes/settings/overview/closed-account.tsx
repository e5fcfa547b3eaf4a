import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import type { WithdrawalRow } from "../say-withdrawal.ts";
import { withdrawalRows } from "../withdrawal-rows.tsx";
import { AccountForm } from "../account-forms/account-form.tsx";
import { AccountPage } from "../account-forms/account-page.tsx";
import type { AccountRefusal } from "../account-forms/account-form-refused.tsx";
import { accountClosingMessages } from "../data/messages.ts";
import { AllMyData } from "../data/closing.tsx";

type ClosedAccountPageProps = {
  page: {
    account: Account;
    isOver: boolean;
    /** What features add to the export, as a sentence names it. */
    exported: readonly string[];
    /** The withdrawal that isn't settled, if there is one. */
    withdrawal: WithdrawalRow | null;
  };
  refusal: AccountRefusal | null;
};

/** All that `/settings` offers a closed account: restore it, export the data, see the receipts. */
export function ClosedAccountPage({ page, refusal }: ClosedAccountPageProps) {
  const { page: messages, withdrawal: erasedAfter } = useMessages(accountClosingMessages);
  const { account, isOver, withdrawal } = page;
  return (
    <AccountPage title={messages.title} lead={messages.lead(account.email)} refusal={refusal}>
      {isOver ? (
        <SectionCard title={messages.overTitle} tone="problem">
          <p>{messages.over}</p>
          {withdrawal && <p>{erasedAfter}</p>}
        </SectionCard>
      ) : (
        <Restore account={account} isWithdrawn={withdrawal !== null} />
      )}
      <AllMyData ofFeatures={page.exported} />
      <SectionCard title={messages.receipts.title}>
        <p>{messages.receipts.text}</p>
        {withdrawal && <KeyValues items={withdrawalRows([withdrawal])} />}
        <div className="row">
          <LinkButton to={href("/settings/orders")}>{messages.receipts.link}</LinkButton>
        </div>
      </SectionCard>
    </AccountPage>
  );
}

function Restore({ account, isWithdrawn }: { account: Account; isWithdrawn: boolean }) {
  const { page: messages, withdrawal } = useMessages(accountClosingMessages);
  const pending = usePending("intent", "restore");
  const { timeZone, locale } = account;
  return (
    <SectionCard id="leaving" title={messages.restore} tone="attention">
      <p>
        {messages.until}
        <strong>
          <Moment at={account.restorableUntil ?? 0} timeZone={timeZone} locale={locale} style="date-time" />
        </strong>
        {". "}
        {messages.untilText}
      </p>
      {isWithdrawn && <p>{withdrawal}</p>}
      <AccountForm page={href("/settings")}>
        <Button kind="primary" name="intent" value="restore" pending={pending} pendingLabel={messages.pending}>
          {messages.button}
        </Button>
      </AccountForm>
    </SectionCard>
  );
}
