import { href } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import type { Refusal } from "./answers.ts";
import { devicesMessages } from "./messages.ts";

export function DeviceFormRefused({ refusal }: { refusal: Refusal | CodeFormRefusal | undefined }) {
  const { problems } = useMessages(devicesMessages);
  if (!refusal) return null;
  // By now the dialog with the field is closed, so a link to the field would lead nowhere.
  const name = refusal.reason === "invalid-fields" && refusal.errors.find(({ field }) => field === "name");
  const problem = name && new Map(Object.entries(problems)).get(name.problem);
  if (problem) {
    return (
      <Notice kind="problem" live>
        {problem}
      </Notice>
    );
  }
  if (refusal.reason !== "key-unreadable" && refusal.reason !== "device-unknown") {
    return <FormRefusalNotice refusal={refusal} problems={problems} />;
  }
  return (
    <Notice kind="problem" live>
      {problems[refusal.reason]}
    </Notice>
  );
}

/** Without a plan nothing can be activated. Devices activated before wait for the next plan. */
export function NoPlanNotice({ used, product }: { used: number; product: string }) {
  const { noPlan: messages } = useMessages(devicesMessages);
  return (
    <Notice kind={used > 0 ? "attention" : "info"} title={messages.title}>
      <p>{used > 0 ? messages.idle(used, product) : messages.text(product)}</p>
      <LinkButton kind="primary" to={href("/settings/upgrade")}>
        {messages.choose}
      </LinkButton>
    </Notice>
  );
}

type OverLimitProps = {
  plan: { name: string; seats: number };
  used: number;
  product: string;
  release: { day: string; devices: string } | null;
};

/** Shown when a change or the end of a plan leaves more devices than seats. All work for some days while the owner chooses. */
export function OverLimit({ plan, used, product, release }: OverLimitProps) {
  const { over: messages } = useMessages(devicesMessages);
  const { seats } = plan;
  if (used <= seats) return null;
  return (
    <Notice kind="attention" title={messages.title(used, plan.name, seats)}>
      <p>{messages.text(product, used - seats, release?.day ?? null)}</p>
      {release && <p>{messages.otherwise(release.devices)}</p>}
      <LinkButton to={href("/settings/upgrade")}>{messages.plans}</LinkButton>
    </Notice>
  );
}
