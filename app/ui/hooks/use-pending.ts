import { useNavigation } from "react-router";
import { useDocumentSubmission } from "./document-form.ts";

/** Whether a form of this page is being submitted. With a name and value, only the form whose pressed button has them counts. */
export function usePending(name?: string, value?: string): boolean {
  const { formData } = useNavigation();
  const sent = useDocumentSubmission() ?? formData;
  return sent !== undefined && (name === undefined || sent.get(name) === value);
}
