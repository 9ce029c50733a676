// fast-check with a fixed seed, so that two runs of the tests generate the same cases and only a change of
// the code can turn one red.
//
// PROPERTY_SEED takes another seed: PROPERTY_SEED=$RANDOM npm test looks where no run has looked.

import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20261) })

export default fc
