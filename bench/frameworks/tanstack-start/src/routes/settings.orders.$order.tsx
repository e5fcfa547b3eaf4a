import { createFileRoute } from "@tanstack/react-router";

/** What the rows of the table link to. */
export const Route = createFileRoute("/settings/orders/$order")({ component: () => <h1>An order</h1> });
