import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { pageOfSection } from "../account-forms/sections.ts";

/** Emails from before the account's pages existed link to sections of the overview (`/settings#mails`): leads on to their pages. */
export function useMovedSections(): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const page = pageOfSection(hash.slice(1));
  useEffect(() => {
    if (page) void navigate(page + hash, { replace: true });
  }, [page, hash, navigate]);
}
