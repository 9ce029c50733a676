// fast-check with a fixed seed, so that all test runs generate the same cases and only a change of the code
// can make one fail.
//
// PROPERTY_SEED sets another seed: `PROPERTY_SEED=$RANDOM npm test` tries new cases.

import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20261) })

export default fc
