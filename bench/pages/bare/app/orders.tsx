import { env } from "cloudflare:workers";
import { href, Link } from "react-router";
import { type OrdersPage, readOrders } from "../../../frameworks/orders-page.ts";
import { OrdersTable } from "../../../frameworks/orders-table.tsx";

type LoaderArgs = { params: { account: string } };
type Props = { loaderData: OrdersPage; params: { lines: string } };

export const meta = () => [{ title: "Orders" }];

/** The site's page of orders without the site: `bench/frameworks` has the same in other frameworks. */
export async function loader({ params }: LoaderArgs) {
  return readOrders(env.DB, params.account);
}

export default function Orders({ loaderData, params }: Props) {
  return <OrdersTable page={loaderData} lines={Number(params.lines)} OrderLink={OrderLink} />;
}

function OrderLink({ order, children }: { order: string; children: React.ReactNode }) {
  return <Link to={href("/settings/orders/:order", { order })}>{children}</Link>;
}
