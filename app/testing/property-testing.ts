/**
 * fast-check with a fixed seed, so that a property fails because of a change and not by chance. `PROPERTY_SEED` tries
 * other cases, `PROPERTY_RUNS` more of them.
 */
import fc from "fast-check";

const { PROPERTY_SEED = "20261120", PROPERTY_RUNS } = process.env;

fc.configureGlobal({ seed: Number(PROPERTY_SEED), ...(PROPERTY_RUNS ? { numRuns: Number(PROPERTY_RUNS) } : {}) });

export default fc;
