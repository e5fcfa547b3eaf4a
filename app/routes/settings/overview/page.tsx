import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { loader as rootLoader } from "#app/root.tsx";
import { rootMessages } from "#app/root.messages.ts";
import { Flash, FlashContext } from "#app/ui/components/feedback/flash.tsx";
import { OpenCardContext } from "#app/ui/components/layout/folding-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { placeOf, placeOfRefusal, placeOfTyped } from "./places.ts";

type OverviewPageProps = {
  title: string;
  lead: string;
  /** The form that re-authentication interrupted. */
  typed?: Record<string, string>;
  refusal?: Parameters<typeof placeOfRefusal>[0];
  children: ReactNode;
};

const nothing = {};

/** This page is long: its flash is shown in the section it is about, which receives focus. */
export function OverviewPage({ title, lead, typed = nothing, refusal, children }: OverviewPageProps) {
  const { flash: messages } = useMessages(rootMessages);
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const placed = root?.flash
    ? { place: placeOf(root.flash, typed), children: messages[root.flash], arrival: root }
    : null;
  const open =
    (refusal && placeOfRefusal(refusal)) ?? placeOfTyped(typed) ?? (root?.flash === "welcome" ? "start" : null);
  return (
    <FlashContext value={placed}>
      <OpenCardContext value={open}>
        <SettingsPage title={title} lead={lead}>
          {placed?.place === "top" && <Flash arrival={placed.arrival}>{placed.children}</Flash>}
          {children}
        </SettingsPage>
      </OpenCardContext>
    </FlashContext>
  );
}
