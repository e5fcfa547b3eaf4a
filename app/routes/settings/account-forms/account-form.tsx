import type { ComponentPropsWithRef } from "react";
import { Form } from "react-router";

type AccountFormProps = Omit<ComponentPropsWithRef<typeof Form>, "method" | "action"> & { page: string };

/** A form of an account page. It posts to the page's plain URL: a query would stay in the address bar after a refusal. */
export function AccountForm({ page, ...props }: AccountFormProps) {
  return <Form {...props} method="post" action={page} noValidate />;
}
