import { reviewPath } from "#app/core/page-paths.ts";
import { Form, href } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { formatDay } from "#app/core/time/time.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { type OfferRefusal, upgradeMessages, type UpgradeTexts } from "./messages.ts";
import type { ShownOfferRefusal } from "./say-refusal.ts";
import type { UpgradePage } from "./page-data.ts";

export function RefusedForm({ refusal }: { refusal: CodeFormRefusal }) {
  const { problems } = useMessages(upgradeMessages);
  return <FormRefusalNotice refusal={refusal} problems={problems} />;
}

type RefusedOfferProps = { refusal: ShownOfferRefusal; page: UpgradePage; to?: "button" | "choice" | "none" };

/** Why a plan can't be had now, and the alternative: after a pressed button, for a choice, or before anything was chosen. */
export function RefusedOffer({ refusal, page, to = "choice" }: RefusedOfferProps) {
  const messages = useMessages(upgradeMessages);
  const isDown = refusal.reason === "provider-unreachable" || refusal.reason === "provider-refused";
  const isProblem = to === "button" || isDown || refusal.reason === "payment-due";
  const title = { button: messages.trouble, choice: messages.notNow, none: blockedTitle(messages, refusal, page) }[to];
  return (
    <Notice kind={isProblem ? "problem" : "info"} title={title} live={to !== "none"}>
      {refusal.text} <NextActions refusal={refusal} page={page} />
    </Notice>
  );
}

/** The plan ends with the refund, so it can't be changed before. */
export function Withdrawn({ planPath }: { planPath: string }) {
  const { withdrawn, wayOn } = useMessages(upgradeMessages);
  return (
    <Notice kind="info" title={withdrawn.title}>
      {withdrawn.text} <Link to={planPath}>{wayOn.plan}</Link>
    </Notice>
  );
}

function blockedTitle(messages: UpgradeTexts, { reason }: OfferRefusal, { running, reader }: UpgradePage): string {
  if (reason === "payment-due") return messages.blockedByDue;
  if (reason !== "plan-ends" || !running?.cancelsAt) return messages.blocked;
  return messages.blockedByEnd(formatDay(running.cancelsAt, reader));
}

function NextActions({ refusal, page }: RefusedOfferProps) {
  const { wayOn } = useMessages(upgradeMessages);
  switch (refusal.reason) {
    case "plan-ends":
      return <KeepPlan page={page} />;
    case "plan-withdrawn":
    case "cancelled-already":
    case "change-begins":
    case "payment-due":
    case "plan-paused":
    case "plan-disputed":
    case "subscribed-already":
      return <Link to={page.planPath}>{wayOn.plan}</Link>;
    case "payment-in-process":
    case "payment-unconfirmed":
      return (
        <Link to={`${href("/payment/:status", { status: "processing" })}?order=${refusal.orderId}`}>
          {wayOn.payment}
        </Link>
      );
    case "provider-unreachable":
    case "price-differs":
    case "too-many-requests":
      return (
        page.chosen && <Link to={reviewPath({ planId: page.chosen.id, interval: page.interval })}>{wayOn.again}</Link>
      );
    case "email-refused":
      return <Link to={`${href("/settings/security")}#address`}>{wayOn.email}</Link>;
    default:
      return null;
  }
}

/** Undoes the cancellation, on the page of the plan. */
function KeepPlan({ page }: { page: UpgradePage }) {
  const { wayOn } = useMessages(upgradeMessages);
  const pending = usePending("intent", "resume");
  return (
    <Form method="post" action={page.planPath}>
      <Button name="intent" value="resume" pending={pending} pendingLabel={wayOn.keeping}>
        {wayOn.keep}
      </Button>
    </Form>
  );
}

export function OpenChoice({ open: { tone, title, text, link, to } }: { open: NonNullable<UpgradePage["open"]> }) {
  return (
    <Notice kind={tone} title={title}>
      {text} <Link to={to}>{link}</Link>
    </Notice>
  );
}
