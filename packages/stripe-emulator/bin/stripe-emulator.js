#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Not compiled, so that an install finds it to link before there is a build.
import "../dist/node/cli.js";
