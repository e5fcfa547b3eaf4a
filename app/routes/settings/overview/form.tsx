import { Form, type FormProps } from "react-router";

/**
 * A form of this page. Its address is the page's plain one: what React Router makes up for an index route (`?index`) would stay
 * in the address bar of whoever was refused.
 */
export function OverviewForm(props: Omit<FormProps, "method" | "action">) {
  return <Form {...props} method="post" action="/settings" noValidate />;
}
