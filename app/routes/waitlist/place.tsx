import type { ReactNode } from "react";
import { Form, href } from "react-router";
import type { ShownPlace } from "#app/modules/waitlist/reads/show-place.server.ts";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { CopyField } from "#app/ui/components/copy-field.tsx";
import { Dialog } from "#app/ui/components/dialog.tsx";
import { KeyValues } from "#app/ui/components/key-values.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import { QrCode } from "#app/ui/components/qr-code.tsx";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { ShareButton } from "#app/ui/components/share-button.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { waitlistPlaceWords } from "./place.messages.ts";
import { type ShownRefusal, WaitlistRefusalNotice } from "./refusal.tsx";

type Place = ShownPlace & { qr: { path: string; size: number } };

/** An entry's own page: where it stands, how friends move it, what it can do now, and the way out. */
export function PlacePage({ page, refusal }: { page: Place; refusal: ShownRefusal | undefined }) {
  const words = useWords(waitlistPlaceWords);
  const isOver = ["left", "joined", "ended", "rejected"].includes(page.state);
  if (page.opened && (!isOver || page.state === "ended")) return <OpenedPage page={page} opened={page.opened} />;
  const { title, lead } = words[page.state];
  return (
    <FormPage title={title(page.what)} lead={lead} aside={isOver ? undefined : <WayOut />}>
      <WaitlistRefusalNotice refusal={refusal} />
      {page.isUnderReview && !isOver && <Notice kind="attention">{words.review}</Notice>}
      {page.state === "lapsed" && page.planId !== null && <p>{words.paid}</p>}
      {page.standing && <Standing standing={page.standing} page={page} />}
      {page.invitedUntil !== null && page.state === "invited" && <Invited page={page} until={page.invitedUntil} />}
      {page.standing && <Friends page={page} />}
      {page.state === "resting" && <IntentForm intent="confirm" words={words.wake} />}
      {page.state === "ended" && <IntentForm intent="confirm" words={words.rejoin} />}
      {page.state === "joined" && <WayOn to={href("/settings")}>{words.toAccount}</WayOn>}
      {page.state === "left" && <WayOn to={href("/waitlist")}>{words.again}</WayOn>}
    </FormPage>
  );
}

/** The gate that it waited at is not the one that stands. */
function OpenedPage({ page, opened }: { page: Place; opened: NonNullable<Place["opened"]> }) {
  const words = useWords(waitlistPlaceWords).opened[opened.to];
  const chosen = opened.planId ? `?${new URLSearchParams({ plan: opened.planId })}` : "";
  const to =
    opened.to === "accounts"
      ? `/login?${new URLSearchParams({ redirectTo: "/settings/upgrade" })}`
      : `/signup${chosen}`;
  return (
    <FormPage title={words.title(page.what)} lead={words.lead}>
      <WayOn to={to}>{words.link}</WayOn>
    </FormPage>
  );
}

function WayOn({ to, children }: { to: string; children: ReactNode }) {
  return (
    <LinkButton kind="primary" wide to={to}>
      {children}
    </LinkButton>
  );
}

function Standing({ standing, page }: { standing: NonNullable<Place["standing"]>; page: Place }) {
  const words = useWords(waitlistPlaceWords);
  const people = (count: number) => (count > 0 ? words.people(count, page.reader.locale) : words.nobody);
  return (
    <>
      {page.missed > 0 && <Notice kind="attention">{words.missed}</Notice>}
      <KeyValues
        items={[
          { label: words.ahead, value: people(standing.ahead) },
          { label: words.behind, value: people(standing.behind) },
        ]}
      />
      {page.movement && <Moved movement={page.movement} reader={page.reader} />}
    </>
  );
}

/** What happened since the owner looked before, whichever way it went. */
function Moved({ movement, reader }: { movement: NonNullable<Place["movement"]>; reader: Place["reader"] }) {
  const { movement: words } = useWords(waitlistPlaceWords);
  return (
    <p>
      {words.since} <Moment {...reader} at={movement.since} style="date-time" />
      {words.colon} {words.ahead(movement.ahead, reader.locale)} {words.friends(movement.friends)}
    </p>
  );
}

function Invited({ page, until }: { page: Place; until: number }) {
  const { invitation: words } = useWords(waitlistPlaceWords);
  return (
    <>
      <p>
        {words.until} <Moment {...page.reader} at={until} style="date-time" />
        {words.after[page.planId === null ? "account" : "plan"]}
      </p>
      <IntentForm intent="accept" words={words} />
    </>
  );
}

function IntentForm({ intent, words }: { intent: "accept" | "confirm"; words: { button: string; pending: string } }) {
  const pending = usePending("intent", intent);
  return (
    <Form method="post">
      <Button kind="primary" wide name="intent" value={intent} pending={pending} pendingLabel={words.pending}>
        {words.button}
      </Button>
    </Form>
  );
}

function Friends({ page }: { page: Place }) {
  const { friends: words } = useWords(waitlistPlaceWords);
  return (
    <SectionCard title={words.title}>
      <p>
        {words.text(page.placesPerFriend)} {words.count(page.friends)}
      </p>
      <CopyField label={words.link} value={page.shareUrl} words={words} />
      <ShareButton title={words.shareTitle(page.what)} url={page.shareUrl} words={words} />
      <QrCode {...page.qr} label={words.qr} />
    </SectionCard>
  );
}

/** The link once more by mail, and the way out, which asks again: a place that is given up doesn't come back. */
function WayOut() {
  const words = useWords(waitlistPlaceWords);
  const { leave } = words;
  const resending = usePending("intent", "resend");
  const leaving = usePending("intent", "leave");
  return (
    <>
      <p>{words.keep}</p>
      <div className="row">
        <Form method="post">
          <Button name="intent" value="resend" pending={resending} pendingLabel={words.resendPending}>
            {words.resend}
          </Button>
        </Form>
        <Dialog
          id="leave"
          title={leave.title}
          openLabel={leave.open}
          openKind="plain"
          words={{ close: leave.close }}
          act={
            <Form method="post">
              <Button kind="danger" name="intent" value="leave" pending={leaving} pendingLabel={leave.pending}>
                {leave.button}
              </Button>
            </Form>
          }
        >
          <p>{leave.text}</p>
        </Dialog>
      </div>
    </>
  );
}
