import { Form, href } from "react-router";
import { ordersQuery } from "#app/modules/order-history/browse.rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SelectField } from "#app/ui/components/forms/field.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { ordersMessages } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

/** The available years and states, and the CSV file of the selection. */
export function OrdersFilter({ page }: { page: OrdersPageData }) {
  const { filter: messages, csv } = useMessages(ordersMessages);
  const { year, state } = page.input;
  // The requested value is shown in its field even if no order has it.
  const years = [...new Set([...(year === null ? [] : [year]), ...page.facets.years])].toSorted((a, b) => b - a);
  const states = [...new Set([...page.facets.states, ...(state === null ? [] : [state])])];
  // Shown only when filtered by state: the whole list omits them.
  const hasAbandoned = states.some((each) => each === "cancelled" || each === "expired");
  const isNarrow = years.length > 1 || states.length > 1 || hasAbandoned;
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
              { value: "", label: messages.everyState(hasAbandoned) },
              ...states.map((each) => ({ value: each, label: messages.stateOption(each) })),
            ]}
          />
          <Button>{messages.submit}</Button>
        </Form>
      )}
      <a
        className="filter-file"
        href={`${href("/settings/orders.csv")}${ordersQuery(page.input, { after: null, orderId: null })}`}
      >
        <Icon name="download" />
        {csv}
      </a>
    </div>
  );
}
