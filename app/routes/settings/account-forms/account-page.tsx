import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { loader as rootLoader } from "#app/root.tsx";
import { Flash, FlashContext } from "#app/ui/components/feedback/flash.tsx";
import { OpenCardContext } from "#app/ui/components/layout/collapsible-card.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { sectionOfFlash, sectionOfRefusal, sectionOfTyped } from "./sections.ts";
import { type AccountRefusal, AccountFormRefused } from "./account-form-refused.tsx";

type AccountPageProps = {
  title: string;
  lead: string;
  /** What the user had typed before re-authentication interrupted the form. */
  typed?: Record<string, string>;
  refusal?: AccountRefusal | null;
  /** Fields that are alone in their forms. Their errors are shown beside them and nowhere else. */
  fieldsAlone?: readonly string[];
  children: ReactNode;
};

const nothing = {};

/** A page of several sections: its flash is shown in the section it is about, which receives focus. */
export function AccountPage({ title, lead, typed = nothing, refusal = null, fieldsAlone, children }: AccountPageProps) {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const placed = root?.flash
    ? { cardId: sectionOfFlash(root.flash.name, typed), children: root.flash.text, arrival: root }
    : null;
  const open = (refusal && sectionOfRefusal(refusal)) ?? sectionOfTyped(typed);
  return (
    <FlashContext value={placed}>
      <OpenCardContext value={open}>
        <SettingsPage title={title} lead={lead}>
          {placed?.cardId === "top" && <Flash arrival={placed.arrival}>{placed.children}</Flash>}
          <AccountFormRefused refusal={refusal} fieldsAlone={fieldsAlone} />
          {children}
        </SettingsPage>
      </OpenCardContext>
    </FlashContext>
  );
}
