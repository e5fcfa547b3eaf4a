import { useNavigation } from "react-router";
import { useDocumentSubmission } from "./document-form.ts";

/** Is a form of this page being submitted? With a name and value, only the form whose pressed button has them. */
export function usePending(name?: string, value?: string): boolean {
  const { formData } = useNavigation();
  const sent = useDocumentSubmission() ?? formData;
  return sent !== undefined && (name === undefined || sent.get(name) === value);
}
