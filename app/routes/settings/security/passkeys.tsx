import { href } from "react-router";
import type { Reader } from "#app/core/time/time.ts";
import type { Passkey } from "#app/modules/accounts/passkeys/rules.ts";
import { useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { Field } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import type { PasskeyOffer } from "#app/client/ask-for-passkey.ts";
import { PasskeyForm } from "#app/client/passkey-form.tsx";
import { type PasskeyUser, useSignalPasskeys, useSignalUser } from "#app/client/signal-passkeys.ts";
import { useFocusOnRefusal } from "#app/ui/hooks/use-focus-on-refusal.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { accountMessages } from "../account-forms/messages.ts";
import { removalOf } from "../account-forms/sections.ts";
import { securityMessages } from "./messages.ts";

type Row = Pick<Passkey, "id" | "name" | "provider" | "createdAt" | "lastUsedAt">;

type PasskeysProps = {
  reader: Reader;
  passkeys: {
    list: Row[];
    user: PasskeyUser;
    credentialIds: string[];
    /** The account has as many passkeys as it may have. */
    isFull: boolean;
    offer: PasskeyOffer | null;
  };
  typedName: string | undefined;
  refusal: { reason: string } | null;
};

export function Passkeys({ reader, passkeys, ...add }: PasskeysProps) {
  const { passkeys: messages } = useMessages(securityMessages);
  useSignalUser(passkeys.user);
  useSignalPasskeys(passkeys.user, passkeys.credentialIds);
  const moment = (at: number) => <Moment at={at} timeZone={reader.timeZone} locale={reader.locale} style="short" />;
  return (
    <CollapsibleCard id="passkeys" title={messages.title} brief={messages.brief(passkeys.list.map(({ name }) => name))}>
      <p>{passkeys.list.length === 0 ? messages.none : messages.lead}</p>
      {passkeys.list.length > 0 && (
        <DataTable
          caption={messages.title}
          columns={[
            { key: "name", label: messages.name },
            { key: "added", label: messages.added },
            { key: "lastUsed", label: messages.lastUsed },
            { key: "remove", label: "", align: "end" },
          ]}
          rows={passkeys.list.map((passkey) => ({
            id: passkey.id,
            cells: {
              name: <Name passkey={passkey} />,
              added: moment(passkey.createdAt),
              lastUsed: passkey.lastUsedAt === null ? messages.never : moment(passkey.lastUsedAt),
              remove: <RemovePasskey passkey={passkey} />,
            },
          }))}
        />
      )}
      {passkeys.isFull ? (
        <p className="quiet">{messages.full}</p>
      ) : (
        // The key resets the name field after each new passkey.
        <AddPasskey key={passkeys.list[0]?.id} {...add} offer={passkeys.offer} />
      )}
    </CollapsibleCard>
  );
}

function Name({ passkey }: { passkey: Row }) {
  const { passkeys: messages } = useMessages(securityMessages);
  const isNamedByUser = passkey.provider === null || passkey.provider === passkey.name;
  if (isNamedByUser) return passkey.name;
  return (
    <>
      {passkey.name} <span className="quiet">{messages.storedBy(passkey.provider ?? "")}</span>
    </>
  );
}

function RemovePasskey({ passkey }: { passkey: Row }) {
  const { passkeys: messages } = useMessages(securityMessages);
  const pending = usePending("passkey", passkey.id);
  return (
    <Dialog
      id={removalOf(passkey.id)}
      title={messages.removeTitle(passkey.name)}
      openKind="plain"
      openLabel={
        <>
          {messages.remove} <span className="visually-hidden">{passkey.name}</span>
        </>
      }
      messages={{ close: messages.keep }}
      action={
        <AccountForm page={href("/settings/security")}>
          <input type="hidden" name="passkey" value={passkey.id} />
          <Button kind="danger" name="intent" value="remove-passkey" pending={pending} pendingLabel={messages.removing}>
            {messages.removeNow}
          </Button>
        </AccountForm>
      }
    >
      <p>{messages.removeText}</p>
    </Dialog>
  );
}

const nameId = "passkey-name";

type AddProps = Omit<PasskeysProps, "reader" | "passkeys"> & { offer: PasskeyOffer | null };

function AddPasskey({ offer, typedName, refusal }: AddProps) {
  const { passkeys: messages } = useMessages(securityMessages);
  const { problems } = useMessages(accountMessages);
  const { problemOf, typedIn } = useRefusedFields(refusal ?? undefined, problems);
  const error = problemOf("name");
  useFocusOnRefusal(nameId, error ? refusal : null);
  return (
    <>
      <PasskeyForm
        action={href("/settings/security")}
        intent="add-passkey"
        ceremony="add"
        kind="primary"
        rows
        offer={offer}
        label={messages.add}
        pendingLabel={messages.adding}
        instead={<p className="quiet">{messages.unknownHere}</p>}
      >
        <Field
          id={nameId}
          label={messages.newName}
          hint={messages.newNameHint}
          name="name"
          defaultValue={typedIn("name") ?? typedName}
          autoFocus={error !== undefined}
          error={error}
        />
      </PasskeyForm>
      <noscript>
        <p className="quiet">{messages.needsScript}</p>
      </noscript>
    </>
  );
}
