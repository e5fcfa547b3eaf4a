import type { ShownFriend } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { EmptyState } from "#app/ui/components/feedback/empty-state.tsx";
import { Funnel } from "#app/ui/components/data/funnel.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { referralMessages } from "./messages.ts";
import type { ReferralPage } from "./page-data.ts";

/** From the visit to the reward, and how many of the year's rewards have been given. */
export function WhatCameOfIt({ page }: { page: ReferralPage }) {
  const { funnel: messages, cap: capMessages } = useMessages(referralMessages);
  const { counts, cap } = page;
  return (
    <SectionCard title={messages.title}>
      <Funnel
        label={messages.label}
        stages={[
          { label: messages.visited, count: counts.visits },
          { label: messages.signedUp, count: counts.signedUp },
          { label: messages.paid, count: counts.paid },
          { label: messages.waiting, count: counts.waiting },
          { label: messages.credited, count: counts.credited },
        ]}
      />
      <MeterBar label={capMessages.label} text={capMessages.text(cap.used, cap.max)} value={cap.used} max={cap.max} />
      {cap.again !== null && (
        <Notice kind="attention" title={capMessages.title(cap.max)}>
          {capMessages.again(cap.again)}
        </Notice>
      )}
    </SectionCard>
  );
}

/** Each friend by month, or by the name they chose, and their status. */
export function Friends({ page }: { page: ReferralPage }) {
  const { friends: messages } = useMessages(referralMessages);
  const { friends, counts } = page;
  if (friends.length === 0) {
    return (
      <SectionCard title={messages.title}>
        <EmptyState title={messages.none}>{messages.noneText}</EmptyState>
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title={messages.title}
      footer={counts.signedUp > friends.length ? <p>{messages.newest(friends.length)}</p> : undefined}
    >
      <DataTable
        caption={messages.caption}
        columns={[
          { key: "who", label: messages.who },
          { key: "since", label: messages.since },
          { key: "state", label: messages.state },
        ]}
        rows={friends.map((friend, index) => ({
          id: String(index),
          cells: {
            who: friend.name ?? messages.friend,
            since: <span className="unbroken">{friend.month}</span>,
            state: <Buyer friend={friend} page={page} />,
          },
        }))}
      />
    </SectionCard>
  );
}

function Buyer({ friend, page }: { friend: ShownFriend; page: ReferralPage }) {
  const { friends: messages } = useMessages(referralMessages);
  const { amounts, limits } = page;
  const { tone, chip, text } = describeState(friend, messages, amounts, limits.holdDays);
  return (
    <div>
      <StateChip tone={tone}>{chip}</StateChip>
      {text && <p className="quiet cell-note">{text}</p>}
    </div>
  );
}

type Texts = (typeof referralMessages)["en"]["friends"];
type Said = { tone: Parameters<typeof StateChip>[0]["tone"]; chip: string; text?: string };

function describeState(
  { state, until, voidWhy, wasCredited }: ShownFriend,
  messages: Texts,
  amounts: ReferralPage["amounts"],
  holdDays: number,
): Said {
  const { chips } = messages;
  switch (state) {
    case "signed-up":
      return { tone: "neutral", chip: chips["signed-up"], text: messages.signedUpText(amounts.qualifying) };
    case "under-review":
      return { tone: "attention", chip: chips["under-review"], text: messages.reviewText(until ?? "") };
    case "qualified":
      return { tone: "waiting", chip: chips.qualified, text: messages.qualifiedText };
    case "waiting":
      return {
        tone: "waiting",
        chip: chips.waiting,
        text: until === null ? messages.heldText : messages.waitingText(until, holdDays),
      };
    case "approved":
      return { tone: "good", chip: chips.approved };
    case "void": {
      const text = voidWhy ? messages.voidTexts[voidWhy] : undefined;
      return { tone: "bad", chip: wasCredited ? messages.reversed : chips.void, text };
    }
  }
}
