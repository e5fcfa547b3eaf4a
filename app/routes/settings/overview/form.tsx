import { Form, type FormProps, href } from "react-router";

/**
 * A form of this page. Its action is the page's plain URL: React Router's own for an index route (`?index`) would stay in the address bar
 * after a refusal.
 */
export function OverviewForm(props: Omit<FormProps, "method" | "action">) {
  return <Form {...props} method="post" action={href("/settings")} noValidate />;
}
