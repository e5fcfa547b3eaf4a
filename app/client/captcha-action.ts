import { clientAction } from "./keep-form.ts";

type ClientActionArgs = Parameters<typeof clientAction>[0] & { request: Request };

/** The same for a form that may ask for a captcha: such an answer has to be a document. */
export async function captchaAction(args: ClientActionArgs): Promise<undefined> {
  const sent = args.request.clone();
  const answer: unknown = await clientAction(args);
  // The server's own answer: the action types what the page receives.
  return answer instanceof Object && "captcha" in answer ? sendAsDocument(sent) : (answer as undefined);
}

/** The same form once more, by the browser itself: the policy of this document doesn't allow a captcha, that of the answer does. */
async function sendAsDocument(sent: Pick<Request, "url" | "formData">): Promise<undefined> {
  const form = Object.assign(document.createElement("form"), { method: "post", action: sent.url, hidden: true });
  for (const [name, value] of await sent.formData()) {
    if (typeof value === "string")
      form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.appendChild(form);
  form.submit();
  // Pending until this document is left.
  return new Promise(() => undefined);
}
