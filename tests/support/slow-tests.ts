/**
 * Files and tests that build other products, wait for third-party services that don't respond, try random actions or sweep over all pages:
 * a sixth of the tests takes more than half of the time. `.ci/run` leaves them out, and every machine of the CI workflow together with `npm test` runs them.
 */
export const slowTests = {
  name: "slow",
  description: "Left out by .ci/run without a part, which answers in about twelve minutes on two cores",
};
