import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { loader as rootLoader } from "#app/root.tsx";
import { rootMessages } from "#app/root.messages.ts";
import { FlashContext } from "#app/ui/components/flash.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/settings-shell.tsx";
import { devicesMessages } from "./messages.ts";

type DevicesPageProps = { title: string; lead: string; isKeyShown: boolean; children: ReactNode };

/** What an act was answered with stands in the part that it is about, where whoever acted is led to. */
export function DevicesPage({ title, lead, isKeyShown, children }: DevicesPageProps) {
  const { flash: messages } = useMessages(rootMessages);
  const { proven } = useMessages(devicesMessages);
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const placed = root?.flash && {
    place: root.flash === "device-removed" ? "devices" : "licence",
    // Whoever proved who they are to see the key has nothing left to send.
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
