import { useNavigation } from "react-router";

/** Is a form of this page on its way? With a name and value, only the form whose pressed button carries them. */
export function usePending(name?: string, value?: string): boolean {
  const { state, formData } = useNavigation();
  if (state === "idle" || !formData) return false;
  return name === undefined || formData.get(name) === value;
}
