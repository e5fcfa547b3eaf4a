/** One stylesheet for all pages. It isn't the site's, so that these pages aren't mistaken for the site. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f4f7, #14161b); --card: light-dark(#ffffff, #1d2027); --ink: light-dark(#1a1d26, #eceef3);
  --soft: light-dark(#565c6b, #a9afbd); --line: light-dark(#d9dce4, #343945); --action: light-dark(#3d3a9e, #a9a6ff);
  --on-action: light-dark(#ffffff, #14161b); --bad: light-dark(#a11d2d, #ff9ba6); --bad-ground: light-dark(#fdecee, #3a1b20);
  --good: light-dark(#14653a, #85dcae); --good-ground: light-dark(#e5f5ec, #17301f);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.banner { display: flex; flex-wrap: wrap; gap: 4px 12px; justify-content: space-between; padding: 8px 16px; border-bottom: 1px dashed var(--soft); font-size: 14px; color: var(--soft); }
.banner a { color: var(--ink); font-weight: 600; text-decoration: none; }
main { margin: 0 auto; padding: 32px 16px 64px; }
main.narrow { max-width: 30rem; }
main.wide { max-width: 64rem; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 8px; }
h2 { font-size: 17px; margin: 0 0 12px; }
p { margin: 0 0 12px; }
a { color: var(--action); }
.soft { color: var(--soft); font-size: 14px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 20px 16px; margin: 16px 0; }
.card > * + h2 { margin-top: 24px; }
.card > :last-child { margin-bottom: 0; }
.amount { font-size: 32px; font-weight: 600; line-height: 1.2; margin: 0 0 4px; }
.rows { margin: 0 0 12px; padding: 0; list-style: none; }
.rows li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; padding: 8px 0; border-top: 1px solid var(--line); }
.rows li > * { min-width: 0; }
.rows li:first-child { border-top: 0; }
.notice { border-radius: 8px; padding: 12px 16px; margin: 16px 0; }
.notice.bad { background: var(--bad-ground); color: var(--bad); }
.notice.good { background: var(--good-ground); color: var(--good); }
.notice > :last-child { margin-bottom: 0; }
label { display: block; font-weight: 600; margin-bottom: 4px; }
input, select { width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 8px; }
.field { margin-bottom: 12px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; align-items: end; gap: 12px; }
.check { display: flex; align-items: center; gap: 8px; font-weight: 400; min-height: 44px; margin: 0; }
.check input { width: 20px; min-height: 20px; }
button, .button { display: inline-block; min-height: 44px; padding: 10px 16px; font: inherit; font-weight: 600; line-height: 22px; text-align: center; text-decoration: none; color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: 8px; cursor: pointer; }
.full { width: 100%; }
.main { width: 100%; color: var(--on-action); background: var(--action); border-color: var(--action); }
.choices { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }
.choices button { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; width: 100%; text-align: left; font-weight: 400; }
.choices code { white-space: nowrap; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.buttons input { flex: 1 1 8rem; width: auto; min-width: 0; }
.item { padding: 12px 0; border-top: 1px solid var(--line); }
.item:first-of-type { border-top: 0; padding-top: 0; }
.item > :last-child, .item form > :last-child { margin-bottom: 0; }
form.inline { margin-top: 12px; }
summary { padding: 10px 0; min-height: 44px; color: var(--soft); font-size: 14px; cursor: pointer; }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
code { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.grid > * { min-width: 0; }
.grid { display: grid; gap: 0 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: start; }
@media print { .banner, .no-print { display: none; } body { background: none; } }
.letter { white-space: pre-wrap; }
.ok { color: var(--good); } .not-ok { color: var(--bad); }
`;
