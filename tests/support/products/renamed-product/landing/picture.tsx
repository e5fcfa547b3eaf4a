import "./picture.css";

/** A mast on the air. One picture to a screen reader. */
export function LandingPicture({ label, messages }: { label: string; messages: { title: string; listeners: string } }) {
  return (
    <div className="station" role="img" aria-label={label}>
      <p className="station-title">{messages.title}</p>
      <p>{messages.listeners}</p>
      <svg viewBox="0 0 240 120" fill="none" aria-hidden="true">
        <path className="station-mast" d="M120 20 90 120M120 20l30 100M105 70h30" />
        <path className="station-wave" d="M84 40a44 44 0 0 1 0-36M156 40a44 44 0 0 0 0-36" />
      </svg>
    </div>
  );
}
