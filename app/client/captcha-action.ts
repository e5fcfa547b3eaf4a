import { clientAction } from "./keep-form.ts";

type ClientActionArgs = Parameters<typeof clientAction>[0] & { request: Request };

/** `clientAction` for a form that may ask for a captcha: that answer has to be a document. */
export async function captchaAction(args: ClientActionArgs): Promise<undefined> {
  const sent = args.request.clone();
  const answer: unknown = await clientAction(args);
  // The server's own answer: the action types what the page receives.
  return answer instanceof Object && "captcha" in answer ? sendAsDocument(sent) : (answer as undefined);
}

/** Lets the browser itself send the same form again: this document's policy doesn't allow a captcha, the answer's does. */
async function sendAsDocument(sent: Pick<Request, "url" | "formData">): Promise<undefined> {
  const form = Object.assign(document.createElement("form"), { method: "post", action: sent.url, hidden: true });
  for (const [name, value] of await sent.formData()) {
    if (typeof value === "string")
      form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.appendChild(form);
  form.submit();
  // The form stays pending until this document is left.
  return new Promise(() => undefined);
}
