/** For `<link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={fontUrl} />`: the file named in fonts.css. */
export { default as fontUrl } from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
