import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { FlashName } from "#app/http/page/flash.messages.ts";
import { FlashContext } from "#app/ui/components/feedback/flash.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { devicesMessages } from "./messages.ts";

type DevicesPageProps = { title: string; lead: string; isKeyShown: boolean; children: ReactNode };

/** What the root's loader reads of a flash. */
type RootLoader = () => { flash: { name: FlashName; text: string } | null };

/** A command's response is shown in its own section, which receives focus. */
export function DevicesPage({ title, lead, isKeyShown, children }: DevicesPageProps) {
  const { proven } = useMessages(devicesMessages);
  const root = useRouteLoaderData<RootLoader>("root");
  const placed = root?.flash && {
    cardId: ["device-removed", "device-renamed"].includes(root.flash.name) ? "devices" : "licence",
    // After re-authentication to show the key there is nothing left to submit.
    children: root.flash.name === "confirmed" && isKeyShown ? proven : root.flash.text,
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
