/** A mast and two waves. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        d="M12 9v13M8 13a5 5 0 0 1 0-7M16 13a5 5 0 0 0 0-7M5 16A9 9 0 0 1 5 3M19 16a9 9 0 0 0 0-13"
      />
    </svg>
  );
}
