import { appContext } from "#app/context.ts";
import { formatMoney } from "#app/domain/kernel/money.ts";
import { offerLink } from "#app/domain/referrals/offer-link.server.ts";
import { discountMonths } from "#app/domain/referrals/rules.ts";
import { encodeQrCode } from "#app/request/qr-code.server.ts";
import { pageTitle } from "#app/request/page-title.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { CopyField } from "#app/ui/copy-field.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Funnel } from "#app/ui/funnel.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import { ShareButton } from "#app/ui/share-button.tsx";
import type { Route } from "./+types/referral";
import { referralWords } from "./referral.words.ts";

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(referralWords.en.title, matches) },
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account } = signedIn(context);
  const { referral, currency } = app.product;
  const price = (amountMinor: number) => formatMoney({ amountMinor, currency }, account.locale);
  const amounts = {
    discount: price(referral.friendDiscountMinor),
    credit: price(referral.referrerCreditMinor),
    qualifying: price(referral.qualifyingAmountMinor),
  };
  const link = await offerLink(app, account.id);
  const { locale, timeZone } = account;
  const limits = { ...referral, discountMonths };
  return { product: app.product.name, locale, timeZone, link, qr: encodeQrCode(link.url), amounts, limits };
}

type Page = Route.ComponentProps["loaderData"];

export default function Referral({ loaderData: page }: Route.ComponentProps) {
  const words = useWords(referralWords);
  return (
    <SettingsPage title={words.title} lead={words.lead(page.amounts, page.limits)}>
      <OwnLink page={page} />
      <SectionCard title={words.funnel.title}>
        <Funnel
          label={words.funnel.label}
          stages={[
            { label: words.funnel.visited, count: page.link.visits },
            { label: words.funnel.signedUp, count: page.link.signedUp },
          ]}
        />
      </SectionCard>
      <Friends page={page} />
      <SectionCard title={words.rules.title}>
        <ul className="field-rules">
          {words.rules.lines(page.amounts, page.limits).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </SectionCard>
    </SettingsPage>
  );
}

function OwnLink({ page }: { page: Page }) {
  const { link: words } = useWords(referralWords);
  return (
    <SectionCard title={words.title}>
      <CopyField label={words.label} value={page.link.url} words={words} />
      <ShareButton title={words.shareTitle(page.product, page.amounts.discount)} url={page.link.url} words={words} />
      <QrCode {...page.qr} label={words.qr} />
    </SectionCard>
  );
}

function Friends({ page }: { page: Page }) {
  const { friends: words } = useWords(referralWords);
  const { link, timeZone, locale } = page;
  if (link.friends.length === 0) {
    return (
      <SectionCard title={words.title}>
        <EmptyState title={words.none}>{words.noneText}</EmptyState>
      </SectionCard>
    );
  }
  const rows = link.friends.map((friend) => ({
    id: friend.id,
    cells: {
      who: words.friend,
      since: <Moment at={friend.signedUpAt} timeZone={timeZone} locale={locale} style="month" />,
    },
  }));
  return (
    <SectionCard
      title={words.title}
      footer={link.signedUp > link.friends.length ? <p>{words.newest(link.friends.length)}</p> : undefined}
    >
      <DataTable
        caption={words.caption}
        columns={[
          { key: "who", label: words.who },
          { key: "since", label: words.since },
        ]}
        rows={rows}
      />
    </SectionCard>
  );
}
