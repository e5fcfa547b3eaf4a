/** Tern's logo, in the colour of the text around it. `npm run brand` makes the icon for browser tabs of it. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path
        fill="currentColor"
        fillRule="evenodd"
        d="M6 31V14a10 10 0 0 1 20 0v17ZM0 19c5-5 10-6.2 15-3.6C17.5 11 23 7.8 32 7c-6 3-9.8 6.4-11.2 10.7l5.7 3.3-6 .4c-3 .8-5.3 2.8-7 6.1 0-3.2.8-5.6 2.3-7.6C11 17.6 5.5 17.4 0 19Z"
      />
    </svg>
  );
}
