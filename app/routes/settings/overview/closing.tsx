import type { ReactNode } from "react";
import { Form, href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { Disclosure } from "#app/ui/components/layout/disclosure.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FoldingCard } from "#app/ui/components/layout/folding-card.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { OverviewForm } from "./form.tsx";
import { type AccountClosingRefusal, accountClosingMessages } from "./closing.messages.ts";
import { OverviewPage } from "./page.tsx";

export function AllMyData({ isOpen = false }: { isOpen?: boolean }) {
  const { data: messages } = useMessages(accountClosingMessages);
  return (
    <FoldingCard id="data" title={messages.title} brief={messages.brief} isOpen={isOpen}>
      <p>{messages.text}</p>
      <Form method="post" action={href("/settings/export")} reloadDocument>
        <Button>{messages.button}</Button>
      </Form>
    </FoldingCard>
  );
}

type CloseAccountProps = { planName: string | null; restoreDays: number; isOpen: boolean };

/** Says what ends and what is retained before it shows the button to close the account; opens without a script. */
export function CloseAccount({ planName, restoreDays, isOpen }: CloseAccountProps) {
  const { close: messages } = useMessages(accountClosingMessages);
  const pending = usePending("intent", "delete");
  return (
    <FoldingCard id="leaving" title={messages.title} brief={messages.brief(restoreDays)}>
      <p>{messages.text(restoreDays)}</p>
      <Disclosure label={messages.open} open={isOpen}>
        <Facts
          title={messages.ends}
          facts={[...(planName ? [messages.plan(planName)] : []), messages.sessions, messages.settings]}
        />
        <Facts title={messages.erased(restoreDays)} facts={[messages.profile, messages.invitations]} />
        <Facts title={messages.stays} facts={[messages.orders]} />
        <OverviewForm>
          <Button kind="danger" name="intent" value="delete" pending={pending} pendingLabel={messages.pending}>
            {messages.button}
          </Button>
        </OverviewForm>
      </Disclosure>
    </FoldingCard>
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

type ClosedAccountPageProps = { page: { account: Account; isOver: boolean }; children: ReactNode };

/** All that `/settings` offers an account pending deletion: restore it, export the data, see the receipts. */
export function ClosedAccountPage({ page: { account, isOver }, children }: ClosedAccountPageProps) {
  const { page: messages } = useMessages(accountClosingMessages);
  return (
    <OverviewPage title={messages.title} lead={messages.lead(account.email)}>
      {children}
      {isOver ? (
        <SectionCard title={messages.overTitle} tone="problem">
          <p>{messages.over}</p>
        </SectionCard>
      ) : (
        <Restore account={account} />
      )}
      <AllMyData isOpen />
      <SectionCard
        title={messages.receipts.title}
        footer={<LinkButton to={href("/settings/orders")}>{messages.receipts.link}</LinkButton>}
      >
        <p>{messages.receipts.text}</p>
      </SectionCard>
    </OverviewPage>
  );
}

function Restore({ account }: { account: Account }) {
  const { page: messages } = useMessages(accountClosingMessages);
  const pending = usePending("intent", "restore");
  const { timeZone, locale } = account;
  return (
    <SectionCard id="leaving" title={messages.restore} tone="attention">
      <p>
        {messages.until}
        <strong>
          <Moment at={account.leavingUntil ?? 0} timeZone={timeZone} locale={locale} style="date-time" />
        </strong>
        {". "}
        {messages.untilText}
      </p>
      <OverviewForm>
        <Button kind="primary" name="intent" value="restore" pending={pending} pendingLabel={messages.pending}>
          {messages.button}
        </Button>
      </OverviewForm>
    </SectionCard>
  );
}

export function AccountClosingRefused({ refusal }: { refusal: AccountClosingRefusal }) {
  const messages = useMessages(accountClosingMessages);
  return (
    <Notice kind="problem" title={messages.trouble} live>
      {messages.refusals[refusal.reason]}
    </Notice>
  );
}
