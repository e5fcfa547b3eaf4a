import { clientAction } from "./keep-form.ts";
import { sendAsDocument } from "./send-as-document.ts";

type ClientActionArgs = Parameters<typeof clientAction>[0] & { request: Request };

/** `clientAction` for a form that may ask for a captcha: that answer has to be a document. */
export async function captchaAction(args: ClientActionArgs): Promise<undefined> {
  const sent = args.request.clone();
  const answer: unknown = await clientAction(args);
  // This document's policy doesn't allow a captcha, the answer's does.
  if (answer instanceof Object && "captcha" in answer) return sendAsDocument(sent.url, await sent.formData());
  // The server's own answer: the action types what the page receives.
  return answer as undefined;
}
