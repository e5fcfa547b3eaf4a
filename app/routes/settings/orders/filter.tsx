import { Form, href } from "react-router";
import { type CsvFormat, csvFormats } from "#app/core/text/csv.ts";
import { ordersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SelectField } from "#app/ui/components/forms/select-field.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { ordersMessages, orderStateMessages } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

/** The orders of the list; without a format by that of the account's own numbers. */
function csvPath({ input }: OrdersPageData, format?: CsvFormat): string {
  const query = new URLSearchParams(ordersQuery(input, { after: null }));
  if (format) query.set("format", format);
  return `${href("/settings/orders.csv")}${query.size > 0 ? `?${query}` : ""}`;
}

export function OrdersFilter({ page }: { page: OrdersPageData }) {
  const { filter: messages, csv, otherCsv } = useMessages(ordersMessages);
  const { states: stateNames } = useMessages(orderStateMessages);
  const { year, state } = page.input;
  // The requested value is shown in its field even if no order has it.
  const years = [...new Set([...(year === null ? [] : [year]), ...page.facets.years])].toSorted((a, b) => b - a);
  const states = [...new Set([...page.facets.states, ...(state === null ? [] : [state])])];
  const other = csvFormats.find((format) => format !== page.csvFormat) ?? "comma";
  const hasAttempts = page.attempts.length > 0;
  const isNarrow = years.length > 1 || states.length > 1 || (hasAttempts && state !== null);
  return (
    <div className="filter no-print">
      {isNarrow && (
        <Form method="get" className="filter-fields">
          <SelectField
            key={`year ${year}`}
            label={messages.year}
            name="year"
            defaultValue={year === null ? "" : String(year)}
            options={[
              { value: "", label: messages.everyYear },
              ...years.map((each) => ({ value: String(each), label: String(each) })),
            ]}
          />
          <SelectField
            key={`state ${state}`}
            label={messages.state}
            name="state"
            defaultValue={state ?? ""}
            options={[
              { value: "", label: messages.everyState(hasAttempts) },
              ...states.map((each) => ({ value: each, label: stateNames[each] })),
            ]}
          />
          <Button>{messages.submit}</Button>
        </Form>
      )}
      <span className="filter-file">
        <a href={csvPath(page)}>
          <Icon name="download" />
          {csv}
        </a>
        <a className="quiet" href={csvPath(page, other)}>
          {otherCsv[other]}
        </a>
      </span>
    </div>
  );
}
