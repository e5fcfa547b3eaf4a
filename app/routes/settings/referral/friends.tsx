import type { ShownFriend } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { DataTable } from "#app/ui/components/data-table.tsx";
import { EmptyState } from "#app/ui/components/empty-state.tsx";
import { Funnel } from "#app/ui/components/funnel.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { MeterBar } from "#app/ui/components/meter-bar.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { StateChip } from "#app/ui/components/state-chip.tsx";
import { referralWords } from "./messages.ts";
import type { ReferralPage } from "./page-data.ts";

/** From the visit to the reward, and how many of the year's rewards are given. */
export function WhatCameOfIt({ page }: { page: ReferralPage }) {
  const { funnel: words, cap: capWords } = useWords(referralWords);
  const { counts, cap } = page;
  return (
    <SectionCard title={words.title}>
      <Funnel
        label={words.label}
        stages={[
          { label: words.visited, count: counts.visits },
          { label: words.signedUp, count: counts.signedUp },
          { label: words.paid, count: counts.paid },
          { label: words.waiting, count: counts.waiting },
          { label: words.credited, count: counts.credited },
        ]}
      />
      <MeterBar label={capWords.label} text={capWords.text(cap.used, cap.max)} value={cap.used} max={cap.max} />
      {cap.again !== null && (
        <Notice kind="attention" title={capWords.title(cap.max)}>
          {capWords.again(cap.again)}
        </Notice>
      )}
    </SectionCard>
  );
}

/** Each friend by the month, or by the name that they gave, and what becomes of it. */
export function Friends({ page }: { page: ReferralPage }) {
  const { friends: words } = useWords(referralWords);
  const { friends, counts } = page;
  if (friends.length === 0) {
    return (
      <SectionCard title={words.title}>
        <EmptyState title={words.none}>{words.noneText}</EmptyState>
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title={words.title}
      footer={counts.signedUp > friends.length ? <p>{words.newest(friends.length)}</p> : undefined}
    >
      <DataTable
        caption={words.caption}
        columns={[
          { key: "who", label: words.who },
          { key: "since", label: words.since },
          { key: "state", label: words.state },
        ]}
        rows={friends.map((friend, index) => ({
          id: String(index),
          cells: {
            who: friend.name ?? words.friend,
            since: <span className="unbroken">{friend.month}</span>,
            state: <Standing friend={friend} page={page} />,
          },
        }))}
      />
    </SectionCard>
  );
}

function Standing({ friend, page }: { friend: ShownFriend; page: ReferralPage }) {
  const { friends: words } = useWords(referralWords);
  const { amounts, limits } = page;
  const { tone, chip, text } = sayStanding(friend, words, amounts, limits.holdDays);
  return (
    <div>
      <StateChip tone={tone}>{chip}</StateChip>
      {text && <p className="quiet cell-note">{text}</p>}
    </div>
  );
}

type Texts = (typeof referralWords)["en"]["friends"];
type Said = { tone: Parameters<typeof StateChip>[0]["tone"]; chip: string; text?: string };

function sayStanding(
  { state, until, voidWhy, wasCredited }: ShownFriend,
  words: Texts,
  amounts: ReferralPage["amounts"],
  holdDays: number,
): Said {
  const { chips } = words;
  switch (state) {
    case "signed-up":
      return { tone: "neutral", chip: chips["signed-up"], text: words.signedUpText(amounts.qualifying) };
    case "under-review":
      return { tone: "attention", chip: chips["under-review"], text: words.reviewText(until ?? "") };
    case "qualified":
      return { tone: "waiting", chip: chips.qualified, text: words.qualifiedText };
    case "waiting":
      return { tone: "waiting", chip: chips.waiting, text: words.waitingText(until ?? "", holdDays) };
    case "approved":
      return { tone: "good", chip: chips.approved };
    case "void": {
      const text = voidWhy ? words.voidTexts[voidWhy] : undefined;
      return { tone: "bad", chip: wasCredited ? words.reversed : chips.void, text };
    }
  }
}
