import { Logo } from "../logo.tsx";
import "./picture.css";

type PictureMessages = {
  /** The texts of the window on the laptop. */
  window: {
    title: string;
    state: string;
    lastBackup: string;
    count: string;
    hours: string;
    files: readonly { name: string; state: string; restored?: boolean }[];
  };
  /** Under the laptop, the flight and the vault. */
  captions: { sealed: string; kept: string; restored: string };
};

/** Tern at work: files leave a laptop sealed, fly to a vault, and one comes back. One picture to a screen reader. */
export function LandingPicture({ label, messages }: { label: string; messages: PictureMessages }) {
  return (
    <div className="picture" role="img" aria-label={label}>
      <div className="picture-sky">
        <Laptop messages={messages.window} />
        <Flight />
      </div>
      <div className="picture-sea">
        <div className="picture-captions">
          <p>{messages.captions.sealed}</p>
          <p className="picture-return">
            <svg viewBox="0 0 24 30" fill="none" aria-hidden="true">
              <use href="#picture-sheet" x="12" y="15" />
            </svg>
            {messages.captions.restored}
          </p>
          <p>{messages.captions.kept}</p>
        </div>
      </div>
    </div>
  );
}

function Laptop({ messages }: { messages: PictureMessages["window"] }) {
  return (
    <div className="laptop">
      <div className="laptop-screen">
        <div className="window">
          <div className="window-bar">
            <Logo />
            <span>{messages.title}</span>
            <span className="window-state">{messages.state}</span>
          </div>
          <p className="window-last">{messages.lastBackup}</p>
          <p className="window-count">{messages.count}</p>
          <Hours />
          <p className="window-hours">{messages.hours}</p>
          <ul className="window-files">
            {messages.files.map((file) => (
              <li key={file.name} className={file.restored ? "window-file-back" : undefined}>
                <svg viewBox="0 0 12 12" aria-hidden="true">
                  {file.restored ? (
                    <path className="p-line" d="M2 1h5.5L10 3.5V11H2Z" />
                  ) : (
                    <rect className="p-ink" width="10" height="10" x="1" y="1" rx="1.5" />
                  )}
                </svg>
                <span>{file.name}</span>
                <span>{file.state}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div className="laptop-base" />
    </div>
  );
}

/** How much each hour of the day so far brought, and the hours still to come. */
const hourHeights = [3, 2, 2, 2, 2, 3, 5, 9, 18, 26, 22, 15, 10, 19, 28, 24] as const;

function Hours() {
  return (
    <svg className="window-chart" viewBox="0 0 240 32" preserveAspectRatio="none" aria-hidden="true">
      {hourHeights.map((height, hour) => (
        <rect className="p-ink" key={hour} x={hour * 10 + 1} y={30 - height} width="7" height={height} />
      ))}
      <path className="p-rest" d="M161 30h79" />
    </svg>
  );
}

/** Left to right: sheets, the doorway that seals, blocks behind the bird, the vault with one place empty. */
function Flight() {
  return (
    <svg className="flight" viewBox="0 0 760 400" fill="none" aria-hidden="true">
      <Pieces />
      <path className="p-line p-faint" d="M0 292C96 292 116 204 208 186S500-40 648 206" />
      <use href="#picture-sheet" transform="translate(40 288) rotate(-7)" />
      <use href="#picture-sheet" transform="translate(112 246) rotate(8) scale(1.1)" />
      <path className="p-line" d="M160 400V190a48 48 0 0 1 96 0v210" />
      <path className="p-line p-thin" d="M169 400V190a39 39 0 0 1 78 0v210" />
      <g clipPath="url(#picture-before)">
        <use href="#picture-sheet" transform="translate(208 186) scale(1.4)" />
      </g>
      <g clipPath="url(#picture-after)">
        <use href="#picture-block" transform="translate(208 186) scale(1.3)" />
      </g>
      <use href="#picture-block" transform="translate(316 136) rotate(-27)" />
      <use href="#picture-block" transform="translate(394 102) rotate(-14)" />
      <use href="#picture-block" transform="translate(476 90) rotate(4)" />
      <use href="#picture-block" transform="translate(554 112) rotate(24)" />
      <path className="p-ink" d={tern} transform="translate(496 -30) scale(1.5)" />
      <Vault />
    </svg>
  );
}

/** What the flight is made of: a sheet, a sealed block, and the two sides of the doorway. */
function Pieces() {
  return (
    <defs>
      <g id="picture-sheet">
        <path className="p-sheet" d="M-12-15H5l7 7v23h-24Z" />
        <path className="p-line p-thin" d="M5-15v7h7M-6-2H6M-6 3H6M-6 8H2" />
      </g>
      <g id="picture-block">
        <rect className="p-ink" x="-14" y="-14" width="28" height="28" rx="3" />
        <circle className="p-seal" r="4.5" />
      </g>
      <clipPath id="picture-before">
        <path d="M0 0h208v400H0z" />
      </clipPath>
      <clipPath id="picture-after">
        <path d="M208 0h300v400H208z" />
      </clipPath>
    </defs>
  );
}

const tern =
  "M0 34c16-15 34-20 50-13 8-10 24-18 50-20-17 8-28 17-33 29 6 3 11 6 14 10l9 1-9 3c-5 2-12 1-17-3-8 3-15 9-20 19 0-9 2-16 6-22C36 31 18 30 0 34Z";

/** Blocks by row from below; one place is empty, because its file has gone back. */
const shelves = [
  [594, 630, 666, 702],
  [594, 630, 666, 702],
  [594, 630, 666, 702],
  [630, 666],
] as const;

function Vault() {
  return (
    <g>
      <path className="p-sheet" d="M564 400V282a84 84 0 0 1 168 0v118" />
      {shelves.map((shelf, row) => {
        const y = 382 - row * 40;
        return (
          <g key={y}>
            {shelf.map((x) =>
              row === 1 && x === 630 ? (
                <rect className="p-line p-faint" key={x} x={x - 14} y={y - 14} width="28" height="28" rx="3" />
              ) : (
                <use href="#picture-block" key={x} x={x} y={y} />
              ),
            )}
            <path className="p-line p-thin" d={`M${row === 3 ? 578 : 564} ${y + 16}H${row === 3 ? 718 : 732}`} />
          </g>
        );
      })}
    </g>
  );
}
