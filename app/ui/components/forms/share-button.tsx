import { Button } from "./button.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";

type ShareButtonProps = { title: string; url: string; messages: { share: string } };

/** Appears only on devices with a share sheet. */
export function ShareButton({ title, url, messages }: ShareButtonProps) {
  const canShare = useHydrated() && typeof navigator.share === "function";
  if (!canShare) return null;

  async function share() {
    try {
      await navigator.share({ title, url });
    } catch {
      // Closing the sheet without choosing also ends here: nothing to report.
    }
  }

  return (
    <Button type="button" onClick={share}>
      <Icon name="share" />
      {messages.share}
    </Button>
  );
}
