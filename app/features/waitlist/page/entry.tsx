import type { ReactNode } from "react";
import { Form, href } from "react-router";
import type { ShownEntry } from "../reads/show-entry.server.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { CopyField } from "#app/ui/components/forms/copy-field.tsx";
import { QueuePicture } from "#app/ui/components/data/queue-picture.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { QrCode } from "#app/ui/components/data/qr-code.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { ShareButton } from "#app/ui/components/forms/share-button.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { waitlistEntryMessages } from "./entry.messages.ts";
import { type ShownRefusal, WaitlistRefusalNotice } from "./refusal.tsx";
import { WayOut } from "./way-out.tsx";

type EntryFacts = ShownEntry & { qr: { path: string; size: number } };

export function EntryPage({ page, refusal }: { page: EntryFacts; refusal: ShownRefusal | undefined }) {
  const messages = useMessages(waitlistEntryMessages);
  const isOver = ["left", "joined", "ended", "rejected"].includes(page.state);
  if (page.opened && (!isOver || page.state === "ended")) return <OpenedPage page={page} opened={page.opened} />;
  const { title, lead } = messages[page.state];
  const door = doors[page.state];
  return (
    <FormPage
      title={title(page.what)}
      // The lead promises an email, which the notice takes back.
      lead={page.returned ? undefined : lead}
      aside={isOver ? undefined : <WayOut />}
      picture={door && <StatusIllustration state={door} />}
    >
      <WaitlistRefusalNotice refusal={refusal} />
      {page.isUnderReview && !isOver && !page.returned && <Notice kind="attention">{messages.review}</Notice>}
      {page.returned && <ReturnedEmails kind={page.returned} />}
      {page.state === "lapsed" && page.planId !== null && <p>{messages.paid}</p>}
      {page.position && <QueuePosition position={page.position} page={page} />}
      {page.invitedUntil !== null && page.state === "invited" && <Invited page={page} until={page.invitedUntil} />}
      {page.position && <Friends page={page} />}
      {page.state === "resting" && <IntentForm intent="confirm" messages={messages.wake} />}
      {page.state === "ended" && <IntentForm intent="confirm" messages={messages.rejoin} />}
      {page.state === "joined" && <NextActions to={href("/settings")}>{messages.toAccount}</NextActions>}
      {page.state === "left" && <NextActions to={href("/waitlist")}>{messages.again}</NextActions>}
    </FormPage>
  );
}

/** After a bounce, the email requested below tries the address again. Otherwise we write only once its owner says so. */
function ReturnedEmails({ kind }: { kind: NonNullable<EntryFacts["returned"]> }) {
  const { returned, wake } = useMessages(waitlistEntryMessages);
  return (
    <>
      <Notice kind={kind === "unsubscribed" ? "info" : "problem"} title={returned[kind].title}>
        {returned[kind].text}
      </Notice>
      {kind !== "bounced" && <IntentForm intent="confirm" messages={wake} />}
    </>
  );
}

/** For a queued entry, its position takes the place of an illustration. */
const doors: Record<EntryFacts["state"], "open" | "shut" | "ajar" | null> = {
  waiting: null,
  invited: "open",
  lapsed: "shut",
  resting: "ajar",
  joined: "open",
  ended: "shut",
  rejected: "shut",
  left: "shut",
};

/** The gate that the entry waited for is no longer the current one. */
function OpenedPage({ page, opened }: { page: EntryFacts; opened: NonNullable<EntryFacts["opened"]> }) {
  const messages = useMessages(waitlistEntryMessages).opened[opened.to];
  const chosen = opened.planId ? `?${new URLSearchParams({ plan: opened.planId })}` : "";
  const to =
    opened.to === "accounts"
      ? `${href("/login")}?${new URLSearchParams({ redirectTo: href("/settings/upgrade") })}`
      : `${href("/signup")}${chosen}`;
  return (
    <FormPage title={messages.title(page.what)} lead={messages.lead} picture={<StatusIllustration state="open" />}>
      <NextActions to={to}>{messages.link}</NextActions>
    </FormPage>
  );
}

function NextActions({ to, children }: { to: string; children: ReactNode }) {
  return (
    <LinkButton kind="primary" wide to={to}>
      {children}
    </LinkButton>
  );
}

function QueuePosition({ position, page }: { position: NonNullable<EntryFacts["position"]>; page: EntryFacts }) {
  const messages = useMessages(waitlistEntryMessages);
  const { locale } = page.reader;
  return (
    <>
      {page.missed > 0 && !page.returned && <Notice kind="attention">{messages.missed}</Notice>}
      <QueuePicture label={messages.yourPlace} place={messages.place(position.ahead + 1, locale)} {...position} />
      <p>{messages.aheadAndBehind(position, locale)}</p>
      {page.movement && <Moved movement={page.movement} reader={page.reader} />}
    </>
  );
}

/** What changed since the owner's last visit, for better or worse. */
function Moved({ movement, reader }: { movement: NonNullable<EntryFacts["movement"]>; reader: EntryFacts["reader"] }) {
  const { movement: messages } = useMessages(waitlistEntryMessages);
  return (
    <p>
      {messages.since} <Moment {...reader} at={movement.since} style="date-time" />
      {messages.colon} {messages.ahead(movement.ahead, reader.locale)} {messages.friends(movement.friends)}
    </p>
  );
}

function Invited({ page, until }: { page: EntryFacts; until: number }) {
  const { invitation: messages } = useMessages(waitlistEntryMessages);
  return (
    <>
      <p>
        {messages.until} <Moment {...page.reader} at={until} style="date-time" />
        {messages.after[page.planId === null ? "account" : "plan"]}
      </p>
      <IntentForm intent="accept" messages={messages} />
    </>
  );
}

function IntentForm({
  intent,
  messages,
}: {
  intent: "accept" | "confirm";
  messages: { button: string; pending: string };
}) {
  const pending = usePending("intent", intent);
  return (
    <Form method="post">
      <Button kind="primary" wide name="intent" value={intent} pending={pending} pendingLabel={messages.pending}>
        {messages.button}
      </Button>
    </Form>
  );
}

function Friends({ page }: { page: EntryFacts }) {
  const { friends: messages } = useMessages(waitlistEntryMessages);
  return (
    <SectionCard title={messages.title}>
      <p>
        {messages.text(page.positionsPerFriend)} {messages.count(page.friends)}
      </p>
      <CopyField label={messages.link} value={page.shareUrl} messages={messages} />
      <ShareButton title={messages.shareTitle(page.what)} url={page.shareUrl} messages={messages} />
      <QrCode {...page.qr} label={messages.qr} />
    </SectionCard>
  );
}
