import { type AddressFormRefusal, AddressRefusalNotice } from "#app/http/forms/address-refusal.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { accountMessages } from "./messages.ts";
import type { ShownAccountRefusal } from "./refuse-account-form.ts";

export type AccountRefusal = ShownAccountRefusal | AddressFormRefusal;
type RefusedProps = { refusal: AccountRefusal | null; fieldsAlone?: readonly string[] };

/** At the top of the page: the refusal and its reason, unless it is shown at the form's only field. */
export function AccountFormRefused({ refusal, fieldsAlone }: RefusedProps) {
  const { problems } = useMessages(accountMessages);
  if (!refusal) return null;
  if (refusal.reason === "invalid-fields" && refusal.errors.every(({ field }) => fieldsAlone?.includes(field)))
    return null;
  if (!hasMessage(refusal)) return <AddressRefusalNotice refusal={refusal} problems={problems} />;
  return (
    <Notice kind="problem" title={refusal.title} live>
      {refusal.text}
    </Notice>
  );
}

function hasMessage(refusal: AddressFormRefusal | ShownAccountRefusal): refusal is ShownAccountRefusal {
  return "text" in refusal && !("seconds" in refusal);
}
