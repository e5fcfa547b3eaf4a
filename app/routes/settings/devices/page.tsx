import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { loader as rootLoader } from "#app/root.tsx";
import { rootMessages } from "#app/root.messages.ts";
import { FlashContext } from "#app/ui/components/feedback/flash.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { devicesMessages } from "./messages.ts";

type DevicesPageProps = { title: string; lead: string; isKeyShown: boolean; children: ReactNode };

/** A command's response is shown in its own section, which receives focus. */
export function DevicesPage({ title, lead, isKeyShown, children }: DevicesPageProps) {
  const { flash: messages } = useMessages(rootMessages);
  const { proven } = useMessages(devicesMessages);
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const placed = root?.flash && {
    cardId: root.flash === "device-removed" || root.flash === "device-renamed" ? "devices" : "licence",
    // After re-authentication to show the key there is nothing left to submit.
    children: root.flash === "confirmed" && isKeyShown ? proven : messages[root.flash],
    arrival: root,
  };
  return (
    <FlashContext value={placed || null}>
      <SettingsPage title={title} lead={lead}>
        {children}
      </SettingsPage>
    </FlashContext>
  );
}
