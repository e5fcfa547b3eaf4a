/** Lets the browser itself send a form, and show the answer as a document. The promise never resolves: this document is left. */
export function sendAsDocument(url: string, fields: FormData): Promise<undefined> {
  const form = Object.assign(document.createElement("form"), { method: "post", action: url, hidden: true });
  for (const [name, value] of fields) {
    if (typeof value === "string")
      form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.appendChild(form);
  form.submit();
  return new Promise(() => undefined);
}
