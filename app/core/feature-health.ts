/** What features add to what operators read about the site. Each declares its own. */
// eslint-disable-next-line typescript/no-empty-object-type -- features add to it by `declare module`
export interface FeatureHealth {}
