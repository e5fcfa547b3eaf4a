import { createFileRoute, Link } from "@tanstack/react-router";
import { createServerFn } from "@tanstack/react-start";
import { env } from "cloudflare:workers";
import type { ReactNode } from "react";
import { readOrders } from "../../../orders-page.ts";
import { OrdersTable } from "../../../orders-table.tsx";

const loadOrders = createServerFn({ method: "GET" })
  .validator((account: string) => account)
  .handler(async ({ data }) => readOrders(env.DB, data));

export const Route = createFileRoute("/orders/$account/$lines")({
  loader: ({ params }) => loadOrders({ data: params.account }),
  head: () => ({ meta: [{ title: "Orders" }] }),
  component: Orders,
});

function Orders() {
  const page = Route.useLoaderData();
  const { lines } = Route.useParams();
  return <OrdersTable page={page} lines={Number(lines)} OrderLink={OrderLink} />;
}

function OrderLink({ order, children }: { order: string; children: ReactNode }) {
  return (
    <Link to="/settings/orders/$order" params={{ order }}>
      {children}
    </Link>
  );
}
