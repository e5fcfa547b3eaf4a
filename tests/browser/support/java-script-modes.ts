/** For `describe.each` and `test.each`: what a page does with its scripts it also does without them. */
export const javaScriptModes = [
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
];
