import type { ReactNode } from "react";
import { Form } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { Disclosure } from "#app/ui/components/disclosure.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { FoldingCard } from "#app/ui/components/folding-card.tsx";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { YouForm } from "./form.tsx";
import { type LeavingRefusal, leavingWords } from "./closing.messages.ts";
import { YouPage } from "./page.tsx";

export function AllMyData({ isOpen = false }: { isOpen?: boolean }) {
  const { data: words } = useWords(leavingWords);
  return (
    <FoldingCard id="data" title={words.title} brief={words.brief} isOpen={isOpen}>
      <p>{words.text}</p>
      <Form method="post" action="/settings/export" reloadDocument>
        <Button>{words.button}</Button>
      </Form>
    </FoldingCard>
  );
}

type LeavingProps = { planName: string | null; restoreDays: number; isOpen: boolean };

/** Says what ends and what stays before it offers the one button that does it; opens without a script. */
export function Leaving({ planName, restoreDays, isOpen }: LeavingProps) {
  const { leave: words } = useWords(leavingWords);
  const pending = usePending("intent", "delete");
  return (
    <FoldingCard id="leaving" title={words.title} brief={words.brief}>
      <p>{words.text(restoreDays)}</p>
      <Disclosure label={words.open} open={isOpen}>
        <Facts
          title={words.ends}
          facts={[...(planName ? [words.plan(planName)] : []), words.sessions, words.settings]}
        />
        <Facts title={words.erased(restoreDays)} facts={[words.profile, words.invitations]} />
        <Facts title={words.stays} facts={[words.orders]} />
        <YouForm>
          <Button kind="danger" name="intent" value="delete" pending={pending} pendingLabel={words.pending}>
            {words.button}
          </Button>
        </YouForm>
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

type LeavingPageProps = { page: { account: Account; isOver: boolean }; children: ReactNode };

/** All that `/settings` is for an account that is leaving: have it back, take the data along, see the receipts. */
export function LeavingPage({ page: { account, isOver }, children }: LeavingPageProps) {
  const { page: words } = useWords(leavingWords);
  return (
    <YouPage title={words.title} lead={words.lead(account.email)}>
      {children}
      {isOver ? (
        <SectionCard title={words.overTitle} tone="problem">
          <p>{words.over}</p>
        </SectionCard>
      ) : (
        <Restore account={account} />
      )}
      <AllMyData isOpen />
      <SectionCard
        title={words.receipts.title}
        footer={<LinkButton to="/settings/orders">{words.receipts.link}</LinkButton>}
      >
        <p>{words.receipts.text}</p>
      </SectionCard>
    </YouPage>
  );
}

function Restore({ account }: { account: Account }) {
  const { page: words } = useWords(leavingWords);
  const pending = usePending("intent", "restore");
  const { timeZone, locale } = account;
  return (
    <SectionCard id="leaving" title={words.restore} tone="attention">
      <p>
        {words.until}
        <strong>
          <Moment at={account.leavingUntil ?? 0} timeZone={timeZone} locale={locale} style="date-time" />
        </strong>
        {". "}
        {words.untilText}
      </p>
      <YouForm>
        <Button kind="primary" name="intent" value="restore" pending={pending} pendingLabel={words.pending}>
          {words.button}
        </Button>
      </YouForm>
    </SectionCard>
  );
}

export function LeavingRefused({ refusal }: { refusal: LeavingRefusal }) {
  const words = useWords(leavingWords);
  return (
    <Notice kind="problem" title={words.trouble} live>
      {words.refusals[refusal.reason]}
    </Notice>
  );
}
