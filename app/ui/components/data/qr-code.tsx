/** A scanner needs four light modules around the code. */
const quietModules = 4;

/** Renders the modules, given as a path on a grid of `size` by `size`. Dark on light in both colour schemes: scanners expect it. */
export function QrCode({ path, size, label }: { path: string; size: number; label: string }) {
  const side = size + 2 * quietModules;
  return (
    <svg
      className="qr-code"
      viewBox={`${-quietModules} ${-quietModules} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect x={-quietModules} y={-quietModules} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
