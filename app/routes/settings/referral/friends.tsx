import type { ShownFriend } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { EmptyState } from "#app/ui/components/feedback/empty-state.tsx";
import { Figures } from "#app/ui/components/data/figures.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { referralMessages } from "./messages.ts";
import type { ReferralPage } from "./page-data.ts";

/** The numbers from visit to reward, and how many of the year's rewards have been given. Renders nothing before the first visit. */
export function Results({ page }: { page: ReferralPage }) {
  const { results: messages, cap: capMessages } = useMessages(referralMessages);
  const { counts, cap, amounts } = page;
  if (counts.visits === 0 && counts.signedUp === 0) return null;
  const hasRewards = amounts.credit !== null || counts.credited > 0;
  return (
    <SectionCard title={messages.title}>
      <Figures
        items={[
          { label: messages.visited, value: counts.visits },
          { label: messages.signedUp, value: counts.signedUp },
          { label: messages.paid, value: counts.paid },
          ...(hasRewards ? [{ label: messages.credited, value: counts.credited }] : []),
        ]}
      />
      {hasRewards && cap.again === null && <p className="quiet">{capMessages.text(cap.used, cap.max)}</p>}
      {cap.again !== null && (
        <Notice kind="attention" title={capMessages.title(cap.max)}>
          {capMessages.again(cap.again)}
        </Notice>
      )}
    </SectionCard>
  );
}

/** Each friend by initial and month, and the status of the reward. */
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
          { key: "state", label: messages.state, bare: true },
        ]}
        rows={friends.map((friend, index) => ({
          id: String(index),
          cells: {
            who: messages.joined(nameOf(friend, messages), friend.month),
            state: <Buyer friend={friend} page={page} />,
          },
        }))}
      />
    </SectionCard>
  );
}

function Buyer({ friend, page }: { friend: ShownFriend; page: ReferralPage }) {
  const { friends: messages } = useMessages(referralMessages);
  const { amounts } = page;
  const { tone, chip, text } = describeState(friend, messages, amounts);
  return (
    <div>
      <StateChip tone={tone}>{chip}</StateChip>
      {text && <p className="quiet cell-note">{text}</p>}
    </div>
  );
}

function nameOf({ who }: ShownFriend, messages: Texts): string {
  return who.kind === "initial" ? messages.initial(who.letter) : messages[who.kind];
}

type Texts = (typeof referralMessages)["en"]["friends"];
type FriendState = { tone: Parameters<typeof StateChip>[0]["tone"]; chip: string; text?: string };

function describeState(
  { who, state, until, voidWhy, wasCredited }: ShownFriend,
  messages: Texts,
  amounts: ReferralPage["amounts"],
): FriendState {
  const { chips } = messages;
  switch (state) {
    case "signed-up":
      return {
        tone: "neutral",
        chip: chips["signed-up"],
        text: amounts.credit ? messages.signedUpText(amounts) : undefined,
      };
    case "under-review":
      return { tone: "attention", chip: chips["under-review"], text: messages.reviewText(until ?? "") };
    case "qualified":
      return { tone: "waiting", chip: chips.qualified, text: messages.qualifiedText };
    case "waiting":
      return {
        tone: "waiting",
        chip: chips.waiting,
        text: until === null ? messages.heldText : messages.waitingText(until),
      };
    case "approved":
      return { tone: "good", chip: chips.approved };
    case "void": {
      // A closed account is already named as one, so the reason isn't repeated.
      const text =
        voidWhy && !(voidWhy === "account-erased" && who.kind === "closed") ? messages.voidTexts[voidWhy] : undefined;
      return { tone: "bad", chip: wasCredited ? messages.reversed : chips.void, text };
    }
  }
}
