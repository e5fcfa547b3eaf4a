import { href } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import type { Refusal } from "./answers.ts";
import { devicesMessages } from "./messages.ts";

/** At the top of the page: the refusal and its reason. */
export function DeviceFormRefused({ refusal }: { refusal: Refusal | CodeFormRefusal | undefined }) {
  const { problems } = useMessages(devicesMessages);
  if (!refusal) return null;
  // The field is in a dialog, which is closed by then: a link to it would lead nowhere.
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

/** Nothing can be activated; devices activated before wait for the next plan. */
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
  plan: { name: string; limits: { devices: number } };
  used: number;
  product: string;
  release: { day: string; devices: string } | null;
};

/** More devices than seats after a change or end of plan: all continue for some days, and the owner chooses which are removed. */
export function OverLimit({ plan, used, product, release }: OverLimitProps) {
  const { over: messages } = useMessages(devicesMessages);
  const { devices: seats } = plan.limits;
  if (used <= seats) return null;
  return (
    <Notice kind="attention" title={messages.title(used, plan.name, seats)}>
      <p>{messages.text(product, used - seats, release?.day ?? null)}</p>
      {release && <p>{messages.otherwise(release.devices)}</p>}
      <LinkButton to={href("/settings/upgrade")}>{messages.plans}</LinkButton>
    </Notice>
  );
}
