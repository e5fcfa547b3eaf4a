import { appContext } from "#app/http/request/contexts.ts";
import { endedCookie, readCookie, themeCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { listTimeZones } from "#app/core/time/time-zone.ts";
import { profileForm } from "./form.ts";
import { hostOf, passkeyUser } from "#app/modules/accounts/passkeys/rules.ts";
import { useSignalUser } from "#app/client/signal-passkeys.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { AccountPage } from "../account-forms/account-page.tsx";
import { answerForm } from "#app/http/forms/answer-form.ts";
import { back } from "../account-forms/answers.ts";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { data } from "react-router";
import type { Route } from "./+types/route";
import { Appearance } from "./appearance.tsx";
import { profileMessages } from "./messages.ts";
import { Profile } from "./profile.tsx";
import { formatMoney } from "#app/core/money/money.ts";
import { minorDigits } from "#app/core/money/minor-digits.ts";
import { roundAmount } from "#app/core/money/round-amount.ts";
import { formatDay } from "#app/core/time/time.ts";
import { localesOf } from "#app/modules/accounts/rules.ts";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(profileMessages.en.title, matches) }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { product, origin } = context.get(appContext);
  const { account } = await signedIn(context).viewer;
  return {
    account,
    passkeyUser: { rpId: hostOf(origin), ...passkeyUser(account) },
    formats: dateFormats(product),
    timeZones: listTimeZones(account.timeZone),
    theme: readCookie(request, "theme") ?? "system",
  };
}

export async function action({ context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  return answerForm(readForm(context, profileForm(app.product)), {
    profile: async (fields) => {
      await changeProfile(app, viewer, fields);
      return back(fields.intent);
    },
    appearance: ({ intent, theme, inPlace }) => {
      const cookie = theme === "system" ? endedCookie("theme") : themeCookie(theme);
      return inPlace ? data(null, { headers: { "Set-Cookie": cookie } }) : back(intent, cookie);
    },
  });
}

export default function ProfilePage({ loaderData: page, actionData: refusal = null }: Route.ComponentProps) {
  const messages = useMessages(profileMessages);
  useSignalUser(page.passkeyUser);
  return (
    <AccountPage title={messages.title} lead={messages.lead} refusal={refusal}>
      <Profile account={page.account} formats={page.formats} timeZones={page.timeZones} refusal={refusal} />
      <Appearance theme={page.theme} />
    </AccountPage>
  );
}

/** Beyond the 12th, so that day and month can't be mistaken for each other. */
const sampleDay = Date.UTC(2026, 10, 23);

/** The formats that a user can choose from, each as it writes one day and one amount. */
function dateFormats(product: { locale: string; currency: string }): { value: string; label: string }[] {
  const { currency } = product;
  // With thousands and, where the currency has them, decimals.
  const amountMinor = roundAmount(1234.5 * 10 ** minorDigits(currency), currency);
  return localesOf(product).map((locale) => ({
    value: locale,
    label: `${formatDay(sampleDay, { locale, timeZone: "UTC" })}, ${formatMoney({ amountMinor, currency }, locale)}`,
  }));
}
