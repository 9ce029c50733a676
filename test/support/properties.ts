// fast-check with a fixed seed, so that all test runs generate the same cases and only a change of the code
// can make one fail.
//
// PROPERTY_SEED sets another seed: `PROPERTY_SEED=$RANDOM npm test` tries new cases. With PROPERTY_SHRINK=off the
// first case that fails is told as it is, without a search for a smaller one.

import fc from 'fast-check'

fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 20261),
  endOnFailure: process.env.PROPERTY_SHRINK === 'off',
})

export default fc
